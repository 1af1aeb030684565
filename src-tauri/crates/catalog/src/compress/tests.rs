use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;
use vitrine_domain::{Column, Dialect, ForeignKey, SchemaSelection, Table, TableKind, TableName};

fn make_table(name: &str, columns: &[(&str, &str)]) -> Table {
    Table {
        name: TableName::from_unqualified(name),
        kind: TableKind::Table,
        comment: None,
        row_count: None,
        columns: columns
            .iter()
            .map(|(name, data_type)| Column {
                name: (*name).into(),
                data_type: (*data_type).into(),
                nullable: true,
                comment: None,
            })
            .collect(),
        primary_key: Vec::new(),
        definition: None,
        unique_keys: Vec::new(),
        foreign_keys: Vec::new(),
    }
}

fn make_catalog(tables: Vec<Table>) -> Catalog {
    Catalog {
        database: "db".into(),
        dialect: Dialect::Duckdb,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: "0".repeat(32),
        tables,
    }
}

fn table_patterns(tables: Vec<Table>) -> Vec<(String, usize)> {
    compress_catalog(&make_catalog(tables)).tables.into_iter().map(|t| (t.pattern, t.members.len())).collect()
}

const AB: [(&str, &str); 2] = [("a", "INTEGER"), ("b", "VARCHAR")];

#[test]
fn tables_by_year_become_one_with_all_their_names() {
    let compressed = compress_catalog(&make_catalog(vec![
        make_table("sales_2022", &AB),
        make_table("other", &AB[..1]),
        make_table("sales_2023", &AB),
    ]));
    assert_eq!(compressed.tables.len(), 2);
    assert_eq!(compressed.tables[0].pattern, "sales_{NUM}");
    assert_eq!(
        compressed.tables[0].members,
        [TableName::from_unqualified("sales_2022"), TableName::from_unqualified("sales_2023")]
    );
    assert_eq!(compressed.tables[0].representative.name.name, "sales_2023");
    assert_eq!(compressed.group_count(), 1);
}

#[test]
fn what_is_selected_of_a_family_is_selected_of_all_its_members() {
    let slots: Vec<String> = (1..=12).map(|slot| format!("slot_{slot}")).collect();
    let wide: Vec<(&str, &str)> =
        [("id", "INTEGER")].into_iter().chain(slots.iter().map(|s| (s.as_str(), "DATE"))).collect();
    let days: Vec<Table> = (1..=366).map(|day| make_table(&format!("events_{day}"), &wide)).collect();
    let compressed = compress_catalog(&make_catalog(days.into_iter().chain([make_table("other", &AB)]).collect()));
    let selected = |tables: &[(&str, &[&str])]| {
        let mut selection = SchemaSelection::default();
        for (table, columns) in tables {
            selection.add(table, None);
            columns.iter().for_each(|column| selection.add(table, Some(column)));
        }
        compressed.whole_families(&selection)
    };
    let whole = selected(&[("other", &["a"]), ("EVENTS_7", &["slot_3", "id"]), ("events_9", &[])]);
    assert_eq!(whole.tables.len(), 367);
    assert_eq!((whole.tables[0].name.as_str(), &whole.tables[0].columns), ("other", &vec!["a".to_owned()]));
    let columns: Vec<String> = slots.iter().cloned().chain(["id".to_owned()]).collect();
    assert!(whole.tables[1..].iter().all(|table| table.columns == columns), "{:?}", whole.tables[1]);
    assert_eq!(whole.tables[366].name, "events_366");
    assert_eq!(selected(&[("events_{NUM}", &[])]).tables.len(), 366, "by the pattern");
    let alone = selected(&[("other", &[]), ("unknown", &["x"])]);
    assert_eq!(alone.tables.len(), 2, "what belongs to no family stays as it is");
    assert_eq!(compressed.whole_families(&whole), whole);
}

#[test]
fn the_order_of_columns_does_not_keep_tables_apart() {
    assert_eq!(table_patterns(vec![make_table("t1", &AB), make_table("t2", &[AB[1], AB[0]])]), [("t{NUM}".into(), 2)]);
}

#[test]
fn names_alone_never_merge() {
    assert_eq!(
        table_patterns(vec![make_table("plan1", &AB), make_table("plan2", &AB[..1])]),
        [("plan1".into(), 1), ("plan2".into(), 1)]
    );
    let other_type = [("a", "BIGINT"), AB[1]];
    assert_eq!(table_patterns(vec![make_table("plan1", &AB), make_table("plan2", &other_type)]).len(), 2);
}

#[test]
fn different_keys_or_schemas_keep_tables_apart() {
    let mut keyed = make_table("t2", &AB);
    keyed.primary_key = vec!["a".into()];
    assert_eq!(table_patterns(vec![make_table("t1", &AB), keyed]).len(), 2);
    let mut referring = make_table("t2", &AB);
    let (columns, ref_columns) = (vec!["a".into()], vec!["id".into()]);
    referring.foreign_keys = vec![ForeignKey { columns, ref_table: TableName::from_unqualified("x"), ref_columns }];
    assert_eq!(table_patterns(vec![make_table("t1", &AB), referring]).len(), 2);
    let mut elsewhere = make_table("t2", &AB);
    elsewhere.name.schema = Some("s".into());
    assert_eq!(table_patterns(vec![make_table("t1", &AB), elsewhere]).len(), 2);
}

#[test]
fn a_varying_word_merges_three_or_more() {
    let states = ["trees_ohio_2019", "trees_iowa_2019", "trees_utah_2020", "trees_utah_2019"];
    assert_eq!(table_patterns(states.map(|n| make_table(n, &AB)).into()), [("trees_{VAR}_{NUM}".into(), 4)]);
    assert_eq!(table_patterns(vec![make_table("home_address", &AB), make_table("work_address", &AB)]).len(), 2);
    assert_eq!(
        table_patterns(["apples", "pears", "plums"].map(|n| make_table(n, &AB)).into()).len(),
        3,
        "nothing in common but columns"
    );
}

#[test]
fn comments_that_differ_keep_words_apart_and_unknown_columns_keep_all_apart() {
    let mut tables = ["airport_index", "company_index", "street_index"].map(|n| make_table(n, &AB));
    for table in &mut tables {
        table.comment = Some(format!("about {}", table.name));
    }
    assert_eq!(table_patterns(tables.into()).len(), 3);
    assert_eq!(table_patterns(["view_1", "view_2"].map(|n| make_table(n, &[])).into()).len(), 2);
}

#[test]
fn a_pattern_shows_the_schema_of_its_members() {
    let members = ["t1", "t2"].map(|name| {
        let mut table = make_table(name, &AB);
        table.name.schema = Some("ga".into());
        table
    });
    assert_eq!(table_patterns(members.into()), [("ga.t{NUM}".into(), 2)]);
}

#[test]
fn ten_columns_of_one_type_become_one_and_nine_do_not() {
    let names: Vec<String> = (2015..2026).map(|y| format!("y{y}")).collect();
    let columns = |n: usize| -> Vec<(&str, &str)> { names[..n].iter().map(|y| (y.as_str(), "DOUBLE")).collect() };
    let ten = compress_catalog(&make_catalog(vec![make_table("t", &columns(10))]));
    assert_eq!(ten.tables[0].columns.len(), 1);
    assert_eq!(ten.tables[0].columns[0].pattern, "y{NUM}");
    assert_eq!(ten.tables[0].columns[0].members[0], "y2015");
    assert_eq!(compress_catalog(&make_catalog(vec![make_table("t", &columns(9))])).tables[0].columns.len(), 9);
    let mut mixed = columns(11);
    mixed[4].1 = "INTEGER";
    assert_eq!(
        compress_catalog(&make_catalog(vec![make_table("t", &mixed)])).tables[0].columns.len(),
        2,
        "the odd one stands alone"
    );
}

#[test]
fn comments_may_differ_in_digits_but_in_nothing_else() {
    let names: Vec<String> = (1..=20).map(|n| format!("q{n}")).collect();
    let columns: Vec<(&str, &str)> = names.iter().map(|n| (n.as_str(), "INTEGER")).collect();
    let mut survey = make_table("survey", &columns);
    for (number, column) in survey.columns.iter_mut().enumerate() {
        column.comment = Some(if number < 10 { format!("answer {number}") } else { format!("note {number}") });
    }
    assert_eq!(compress_catalog(&make_catalog(vec![survey])).tables[0].columns.len(), 2);
}

#[test]
fn keys_are_never_hidden_in_a_group() {
    let names: Vec<String> = (1..=12).map(|n| format!("k{n}")).collect();
    let columns: Vec<(&str, &str)> = names.iter().map(|n| (n.as_str(), "INTEGER")).collect();
    let mut wide = make_table("wide", &columns);
    wide.primary_key = vec!["k1".into()];
    assert_eq!(compress_catalog(&make_catalog(vec![wide])).tables[0].columns[0].members, ["k1"]);
}

#[test]
fn a_group_is_found_by_pattern_and_by_member() {
    let compressed =
        compress_catalog(&make_catalog(vec![make_table("x", &AB[..1]), make_table("t1", &AB), make_table("t2", &AB)]));
    assert_eq!(compressed.find_group("T2"), Some(1));
    assert_eq!(compressed.find_group("t{NUM}"), Some(1));
    assert_eq!(compressed.find_group("t3"), None);
}

#[test]
fn seventy_thousand_columns_are_no_trouble() {
    let names: Vec<String> = (0..700).map(|n| format!("metric_{n}_x{}", n % 7)).collect();
    let columns: Vec<(&str, &str)> = names.iter().map(|n| (n.as_str(), "NUMBER")).collect();
    let tables = (0..100).map(|n| make_table(&format!("t_{}_{n}", ["a", "b", "c", "d"][n % 4]), &columns)).collect();
    let compressed = compress_catalog(&make_catalog(tables));
    assert_eq!(compressed.tables.len(), 1);
    assert_eq!(compressed.expand_tables().iter().map(|t| t.1.len()).sum::<usize>(), 70_000);
}

fn any_table() -> impl Strategy<Value = Table> {
    let name = "(t|plan|ga_s|x_y_z)_?[a-c]?_?[0-9]{0,3}";
    let column = ("(y|q_|c|year|\\{NUM\\})[0-9]{0,2}", prop::sample::select(vec!["INTEGER", "TEXT"]));
    (name, prop::collection::btree_map(column.0, column.1, 0..24), any::<bool>()).prop_map(|(name, columns, keyed)| {
        let columns: Vec<(&str, &str)> = columns.iter().map(|(n, t)| (n.as_str(), *t)).collect();
        let mut table = make_table(&name, &columns);
        table.primary_key = table.columns.first().filter(|_| keyed).map(|c| c.name.clone()).into_iter().collect();
        table
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn nothing_is_lost_and_nothing_is_added(tables in prop::collection::vec(any_table(), 0..40)) {
        // Table names in a catalog are unique.
        let mut seen = BTreeSet::new();
        let tables: Vec<Table> = tables.into_iter().filter(|t| seen.insert(t.name.clone())).collect();
        let before: BTreeSet<_> = tables
            .iter()
            .map(|t| (t.name.clone(), t.columns.iter().map(|c| (c.name.clone(), c.data_type.clone())).collect::<BTreeSet<_>>()))
            .collect();
        let catalog = make_catalog(tables);
        let compressed = compress_catalog(&catalog);
        let expanded = compressed.expand_tables();
        prop_assert_eq!(expanded.len(), before.len());
        let after: BTreeSet<_> = expanded.into_iter().map(|(n, c)| (n, c.into_iter().collect::<BTreeSet<_>>())).collect();
        prop_assert_eq!(after, before);
        prop_assert_eq!(&compress_catalog(&catalog), &compressed);
        for group in &compressed.tables {
            let first = catalog.find_table(&group.members[0].to_string()).unwrap();
            for member in &group.members {
                prop_assert_eq!(&catalog.find_table(&member.to_string()).unwrap().primary_key, &first.primary_key);
            }
        }
    }
}

#[test]
fn of_a_group_the_member_that_the_question_names_is_shown() {
    let years = || (2019..=2024).map(|year| make_table(&format!("sales_{year}"), &AB)).collect::<Vec<_>>();
    let days = ["20170731", "20170801", "20180102"].map(|day| make_table(&format!("ga_sessions_{day}"), &AB));
    let states = ["iowa", "ohio", "utah"].map(|state| make_table(&format!("trees_of_{state}_2020"), &AB));
    let regions = ["東京", "大阪", "京都"].map(|region| make_table(&format!("売上_{region}"), &AB));
    let shown = |tables: Vec<Table>, question: &str| {
        let catalog = make_catalog(tables);
        let group = compress_catalog(&catalog).with_mentioned_members(question, &catalog).tables.swap_remove(0);
        assert!(group.members.len() > 1 && group.members.contains(&group.representative.name), "{group:?}");
        group.representative.name.name
    };
    for (question, year) in [
        ("What were the sales in 2021?", "sales_2021"),
        ("Wie hoch war der Umsatz 2020 je Filiale?", "sales_2020"),
        ("2022年の売上は?", "sales_2022"),
        ("ما هي المبيعات في ٢٠١٩؟", "sales_2019"),
        ("Join SALES_2023 with the stores", "sales_2023"),
        ("How did sales grow from 2020 to 2022?", "sales_2022"),
        ("Which store sold most?", "sales_2024"),
        ("What were the sales in 1921?", "sales_2024"),
        ("Sales of item 20210", "sales_2024"),
    ] {
        assert_eq!(shown(years(), question), year, "{question}");
    }
    for (question, day) in [
        ("Visits of ga_sessions_20170731", "ga_sessions_20170731"),
        ("How many visits were there in 2017?", "ga_sessions_20170801"),
        ("How many visits were there?", "ga_sessions_20180102"),
    ] {
        assert_eq!(shown(days.to_vec(), question), day, "{question}");
    }
    assert_eq!(shown(states.to_vec(), "Wie viele Bäume hat Ohio?"), "trees_of_ohio_2020");
    assert_eq!(shown(states.to_vec(), "How many trees are there?"), "trees_of_utah_2020");
    assert_eq!(shown(regions.to_vec(), "大阪の売上はいくらですか"), "売上_大阪");
}
