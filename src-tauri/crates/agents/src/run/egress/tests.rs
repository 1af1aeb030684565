use super::*;
use proptest::prelude::*;
use vitrine_domain::{Dialect, TableProfile};
use vitrine_sql::{AllowedFunctions, EngineReading, NamesRead};

impl Egress {
    /// Creates the limits of a level for a database without tables.
    pub(crate) fn at_level(level: EgressLevel) -> Self {
        let catalog = Catalog {
            database: String::new(),
            dialect: Dialect::Sqlite,
            search_path: Vec::new(),
            own_functions: Vec::new(),
            fingerprint: String::new(),
            tables: Vec::new(),
        };
        Self::new(EgressPolicy { level, ..EgressPolicy::default() }, &catalog, &Profile::default())
    }
}

fn make_egress(level: EgressLevel, masked: &[(&str, &str)]) -> Egress {
    Egress {
        policy: Some(EgressPolicy { level, ..EgressPolicy::default() }),
        masked: masked.iter().map(|(t, c)| ((*t).to_owned(), (*c).to_owned())).collect(),
        crowded: Crowded::default(),
        names: ["people", "email", "age", "id"].map(str::to_owned).into(),
        ledger: Ledger::default(),
    }
}

fn people_catalog() -> Catalog {
    let column = |(name, data_type): (&str, &str)| Column {
        name: name.to_owned(),
        data_type: data_type.to_owned(),
        nullable: true,
        comment: None,
    };
    let table = Table {
        name: TableName::from_unqualified("people"),
        kind: TableKind::Table,
        comment: None,
        row_count: None,
        columns: [("id", "INTEGER"), ("email", "TEXT"), ("age", "INTEGER")].map(column).to_vec(),
        primary_key: vec!["id".to_owned()],
        unique_keys: Vec::new(),
        foreign_keys: Vec::new(),
        definition: None,
    };
    Catalog {
        database: "people".to_owned(),
        dialect: Dialect::Sqlite,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: String::new(),
        tables: vec![table],
    }
}

fn masked_columns(sql: &str, columns: &[(&str, CellType)]) -> Vec<bool> {
    let columns = columns.iter().map(|(name, cell_type)| ResultColumn::new(*name, *cell_type)).collect();
    let mut page = Page { columns, ..Page::default() };
    let sql = ReadOnlySql::parse(sql, Dialect::Sqlite).expect("a query");
    make_egress(EgressLevel::Results, &[("people", "email")]).mark_masked_columns(&mut page, &sql, &people_catalog());
    page.columns.iter().map(|column| column.masked).collect()
}

#[test]
fn a_masked_column_stays_masked_under_another_name_and_inside_of_queries() {
    let (text, number) = (CellType::Text, CellType::Integer);
    assert_eq!(masked_columns("SELECT email AS x, age FROM people", &[("x", text), ("age", number)]), [true, false]);
    let inside = "WITH a AS (SELECT lower(email) AS e, id FROM people) SELECT e || '!' AS f, id FROM a";
    assert_eq!(masked_columns(inside, &[("f", text), ("id", number)]), [true, false]);
    assert_eq!(
        masked_columns("SELECT * FROM people", &[("id", number), ("email", text), ("age", number)]),
        [false, true, false]
    );
    assert_eq!(masked_columns("SELECT max(email) FROM people", &[("m", text)]), [true]);
    // A count reveals no value.
    assert_eq!(masked_columns("SELECT count(email) AS n FROM people", &[("n", number)]), [false]);
    assert_eq!(masked_columns("SELECT age FROM people WHERE email LIKE 'a%'", &[("age", number)]), [false]);
    // A number that is derived from a text reveals a part of it.
    for made in ["CAST(email AS INTEGER)", "unicode(substr(email, 1, 1))", "length(email)", "email LIKE 'a%'"] {
        assert_eq!(
            masked_columns(&format!("SELECT {made} AS n, age FROM people"), &[("n", number), ("age", number)]),
            [true, false]
        );
    }
    // Columns with unknown lineage are masked.
    assert_eq!(masked_columns("SELECT x, 1 AS n FROM elsewhere", &[("x", text), ("n", number)]), [true, true]);
}

#[test]
fn rows_are_shown_by_level() {
    let mut name = ResultColumn::new("name", CellType::Text);
    name.masked = true;
    let columns = vec![name, ResultColumn::new("note", CellType::Text), ResultColumn::new("n", CellType::Integer)];
    let row = ["Ann", "ann@example.org", "7"].map(|cell| Some(cell.to_owned())).to_vec();
    let page = Page { columns, rows: vec![row, vec![None; 3]], row_count: 2, truncated: false };
    let shown = |egress: &Egress| -> Vec<String> {
        egress.mask_page(&page).rows.iter().flatten().map(|cell| cell.clone().unwrap_or("-".into())).collect()
    };
    assert_eq!(shown(&make_egress(EgressLevel::Results, &[])), ["[masked]", "[masked]", "7", "-", "-", "-"]);
    assert_eq!(shown(&make_egress(EgressLevel::Samples, &[])), ["[text]", "[text]", "[number]", "-", "-", "-"]);
    assert_eq!(shown(&Egress::default()), ["Ann", "ann@example.org", "7", "-", "-", "-"]);
    let policy = Some(EgressPolicy::allow_everything());
    page.columns.iter().for_each(|column| assert!(column.masked == (column.name == "name")));
    assert_eq!(shown(&Egress { policy, ..Egress::default() })[1], "ann@example.org");
}

#[test]
fn a_query_that_only_its_engine_reads_is_masked_by_the_columns_that_it_reads() {
    let names = |columns: &[&str]| NamesRead {
        tables: vec![vec!["people".to_owned()]],
        columns: columns.iter().map(|column| (None, (*column).to_owned())).collect(),
        ..NamesRead::default()
    };
    let marked = |names: NamesRead| {
        let text = "SELECT 1 IS 1, age FROM people";
        let reading = EngineReading { names, ..EngineReading::default() };
        let sql = ReadOnlySql::from_reading(text, Dialect::Sqlite, &reading, &AllowedFunctions::default()).unwrap();
        let columns = [("a", CellType::Integer), ("b", CellType::Text)];
        let columns = columns.map(|(name, cell_type)| ResultColumn::new(name, cell_type)).to_vec();
        let mut page = Page { columns, ..Page::default() };
        let known = make_egress(EgressLevel::Results, &[("people", "email")]).mark_masked_columns(
            &mut page,
            &sql,
            &people_catalog(),
        );
        assert!(!known);
        page.columns.iter().map(|column| column.masked).collect::<Vec<_>>()
    };
    assert_eq!(marked(names(&["age"])), [false, false]);
    assert_eq!(marked(names(&["email"])), [true, true]);
    assert_eq!(marked(NamesRead { unnamed: true, ..names(&["age"]) }), [true, true]);
    assert_eq!(marked(NamesRead { tables: vec![vec!["other".to_owned()]], ..names(&["age"]) }), [true, true]);
}

/// Marks the result of a Snowflake query over `people` with these columns, and returns what a prompt shows.
fn show_pivoted(level: EgressLevel, masked: &[(&str, &str)], sql: &str, names: &[&str]) -> (Vec<String>, Vec<String>) {
    let columns = names.iter().map(|name| ResultColumn::new(*name, CellType::Integer)).collect();
    let rows = vec![names.iter().map(|_| None).collect::<Vec<Option<String>>>()];
    let mut page = Page { columns, rows, row_count: 1, truncated: false };
    let sql = ReadOnlySql::parse(sql, Dialect::Snowflake).unwrap();
    let egress = make_egress(level, masked);
    egress.mark_masked_columns(&mut page, &sql, &Catalog { dialect: Dialect::Snowflake, ..people_catalog() });
    let shown = egress.mask_page(&page);
    let cells = shown.rows[0].iter().map(|cell| cell.clone().unwrap_or_else(|| "NULL".to_owned())).collect();
    (shown.columns.iter().map(|column| column.name.clone()).collect(), cells)
}

#[test]
fn names_that_a_pivot_makes_of_values_are_masked() {
    let any = "SELECT * FROM (SELECT age, email FROM people) PIVOT (max(age) FOR email IN (ANY))";
    let listed = "SELECT * FROM people PIVOT (max(age) FOR email IN ('ann', 'bob'))";
    let masked = [("people", "email")];
    for level in [EgressLevel::Results, EgressLevel::Names] {
        let (names, cells) = show_pivoted(level, &masked, any, &["'ann'", "'bob_smith'"]);
        assert_eq!(names, ["column 1", "column 2"]);
        assert!(cells.iter().all(|cell| cell != "NULL"), "{cells:?}");
    }
    let (names, _) = show_pivoted(EgressLevel::Results, &masked, listed, &["age", "'ann'", "bob_age"]);
    assert_eq!(names, ["age", "'ann'", "bob_age"], "the query writes them");
    assert_eq!(show_pivoted(EgressLevel::Results, &[], any, &["'ann'"]).0, ["'ann'"], "nothing is masked");
    assert_eq!(show_pivoted(EgressLevel::Names, &[], any, &["'ann'"]).0, ["column 1"]);
}

#[test]
fn an_empty_cell_is_masked_if_it_is_computed() {
    let masked = [("people", "email")];
    let sql = "SELECT email, CASE WHEN email LIKE 'a%' THEN 1 END AS a, nullif(age, 3) AS b FROM people";
    let (_, cells) = show_pivoted(EgressLevel::Results, &masked, sql, &["email", "a", "b"]);
    assert_eq!(cells, ["NULL", "[masked]", "NULL"]);
    let (_, cells) = show_pivoted(EgressLevel::Names, &masked, sql, &["email", "a", "b"]);
    assert_eq!(cells, ["NULL", "[number]", "NULL"]);
}

#[test]
fn a_column_in_an_unexpected_place_is_not_taken_for_another() {
    let masked = [("people", "email")];
    let sql = "SELECT email, age FROM people";
    let egress = make_egress(EgressLevel::Results, &masked);
    let columns = ["age", "email"].map(|name| ResultColumn::new(name, CellType::Text)).to_vec();
    let mut page = Page { columns, ..Page::default() };
    let sql = ReadOnlySql::parse(sql, Dialect::Duckdb).unwrap();
    assert!(!egress.mark_masked_columns(&mut page, &sql, &people_catalog()));
    assert!(page.columns.iter().all(|column| column.masked));
}

#[test]
fn an_average_is_told_of_many_rows_only() {
    let column = |name: &str, top: &[(&str, u64)]| ColumnProfile {
        name: name.to_owned(),
        top: top.iter().map(|(value, count)| ((*value).to_owned(), *count)).collect(),
        complete: true,
        ..ColumnProfile::default()
    };
    let profile = |rows: u64, top: &[(&str, u64)]| Profile {
        tables: vec![TableProfile {
            table: TableName::from_unqualified("people"),
            row_count: Some(rows),
            profiled_rows: rows,
            columns: vec![column("id", top)],
        }],
        ..Profile::default()
    };
    let (many, few) = (
        Crowded::from_profile(&profile(40, &[("1", 30), ("2", 10)])),
        Crowded::from_profile(&profile(40, &[("1", 31), ("2", 9)])),
    );
    let by_id = ["id".to_owned()];
    assert!(
        many.has_large_groups("people", &[])
            && many.has_large_groups("People", &by_id)
            && !many.has_large_groups("people", &["age".to_owned()])
    );
    assert!(few.has_large_groups("people", &[]) && !few.has_large_groups("people", &by_id));
    assert!(
        !Crowded::from_profile(&profile(9, &[])).has_large_groups("people", &[])
            && !Crowded::default().has_large_groups("people", &[])
    );
}

#[test]
fn an_error_keeps_names_and_loses_values() {
    let sql = "SELECT CAST(email AS INTEGER), agee FROM people AS p JOIN peple USING (id) WHERE age > 30";
    let told = |error: &str| make_egress(EgressLevel::Samples, &[]).redact_error(error, sql);
    for (error, kept) in [
        (
            "invalid input syntax for type integer: \"Ann's 4711\"",
            "a stored value cannot be converted as the query does it (to INTEGER)",
        ),
        (
            "Conversion Error: Could not convert string 'alice@x.org' to INT32",
            "a stored value cannot be converted as the query does it (to INT32)",
        ),
        ("Invalid Input Error: alice@x.org,bob@x.org", "the database could not run the query"),
        ("Invalid Input Error: no such column: alice", "there is no such column where the query names it"),
        ("Invalid Input Error: missing ): (alice@x.org", "a pattern of the query is not valid"),
        ("XPATH syntax error: '~alice@x.org'", "the database cannot read the query"),
        ("JSON path error near 'alice'", "a stored value is not JSON of the form that the query reads"),
        (
            "column \"agee\" does not exist (at character 31)",
            "there is no such column where the query names it: agee (at character 31)",
        ),
        ("no such column: p.agee", "there is no such column where the query names it: p.agee"),
        (
            "Binder Error: Referenced column \"agee\" not found in FROM clause!\nCandidate bindings: \"age\", \"secret\"\n\nLINE 1: SELECT",
            "there is no such column where the query names it: agee, age (in line 1)",
        ),
        (
            "Catalog Error: Table with name peple does not exist!\nDid you mean \"people\"?",
            "there is no such table where the query names it: peple, people",
        ),
        ("Unknown column 'agee' in 'field list'", "there is no such column where the query names it: agee"),
        ("value 4711 is out of range for age > 30", "a number is outside of its type's range"),
        ("", "the database could not run the query"),
    ] {
        assert_eq!(told(error), kept, "{error}");
    }
    let error = "invalid input: 'Ann'";
    assert_eq!(make_egress(EgressLevel::Results, &[]).redact_error(error, sql), error);
    assert!(!make_egress(EgressLevel::Results, &[("people", "email")]).redact_error(error, sql).contains("Ann"));
    assert_eq!(Egress::default().redact_error(error, sql), error);
    let ours = WarehouseError::Timeout { seconds: 30 };
    assert_eq!(
        make_egress(EgressLevel::Names, &[]).query_error(&ours, "SELECT 30"),
        "the query was stopped after 30 s"
    );
    assert!(!make_egress(EgressLevel::Names, &[]).query_error(&WarehouseError::query("alice"), sql).contains("alice"));
}

#[test]
fn a_text_keeps_what_is_known_and_loses_other_values() {
    let sql = "SELECT CAST(email AS INTEGER) FROM people WHERE age > 30";
    let told = |text: &str| make_egress(EgressLevel::Samples, &[]).redact_text(text.to_owned(), sql);
    for (text, kept) in [
        ("column \"email\" does not exist", "column \"email\" does not exist"),
        ("value 4711 is out of range for age > 30", "value [a number] is out of range for age > 30"),
        ("it compares with '12.5 kg'", "it compares with [a value]"),
        // A part of a word of the query is not a word of the query.
        ("it compares with 'mail'", "it compares with [a value]"),
        ("don't know it", "don't know it"),
        ("", ""),
    ] {
        assert_eq!(told(text), kept);
    }
}

#[test]
fn a_view_over_earlier_results_keeps_their_masks() {
    let mut name = ResultColumn::new("who", CellType::Text);
    name.masked = true;
    let view = Page { columns: vec![name, ResultColumn::new("n", CellType::Integer)], ..Page::default() };
    let columns = [("x", CellType::Text), ("n", CellType::Integer), ("c", CellType::Integer)];
    let columns = columns.map(|(name, cell_type)| ResultColumn::new(name, cell_type)).to_vec();
    let mut page = Page { columns, ..Page::default() };
    let sql = ReadOnlySql::parse("SELECT upper(who), n, count(*) FROM v GROUP BY 1, 2", Dialect::Duckdb).unwrap();
    make_egress(EgressLevel::Results, &[("people", "email")]).mark_over(&mut page, &sql, &[("v", &view)]);
    assert_eq!(page.columns.iter().map(|column| column.masked).collect::<Vec<_>>(), [true, false, false]);
}

#[test]
fn a_profile_without_values_keeps_its_numbers() {
    let column = |name: &str| ColumnProfile {
        name: name.to_owned(),
        distinct: 12,
        min: Some("a".to_owned()),
        top: vec![("a".to_owned(), 3)],
        samples: vec!["a".to_owned()],
        fields: vec![ColumnProfile { samples: vec!["inside".to_owned()], ..ColumnProfile::default() }],
        complete: true,
        ..ColumnProfile::default()
    };
    let table = TableProfile {
        table: TableName::from_unqualified("people"),
        row_count: Some(9),
        profiled_rows: 9,
        columns: vec![column("email"), column("age")],
    };
    let profile = Profile { tables: vec![table], ..Profile::default() };
    let redact = |level, masked: &[(&str, &str)]| {
        let policy = EgressPolicy { level, ..EgressPolicy::default() };
        make_egress(level, masked).redact_profile(&profile, &policy, Dialect::Sqlite)
    };
    let told = redact(EgressLevel::Profile, &[]);
    assert!(told.tables[0].columns.iter().all(|c| c.distinct == 12 && !format!("{c:?}").contains("\"a\"")));
    assert!(!format!("{told:?}").contains("inside"));
    let told = redact(EgressLevel::Samples, &[("people", "email")]);
    assert!(told.tables[0].columns[0].samples.is_empty() && told.tables[0].columns[1] == column("age"));
}

proptest! {
    /// No part of a quoted value in a database's message remains after redaction.
    #[test]
    fn no_quoted_value_gets_through(before in "[a-z ]{0,20} ", value in "[A-Za-z0-9 ]{4,20}", quote in "['\"`]") {
        let error = format!("{before}{quote}#{value}{quote} at the end");
        prop_assert!(!without_values_of(&error, |_| false).contains(value.trim()));
    }
}

#[test]
fn values_of_fields_within_a_column_follow_the_level_and_look_personal_like_columns() {
    let field = |name: &str, values: &[&str]| ColumnProfile {
        name: name.into(),
        data_type: "text".into(),
        top: values.iter().map(|value| ((*value).to_owned(), 3)).collect(),
        ..ColumnProfile::default()
    };
    let column = ColumnProfile {
        name: "payload".into(),
        paths: vec![("lang".into(), "text 'de' | 'en'".into()), ("mail".into(), "text 'a@b.org'".into())],
        fields: vec![field("lang", &["de", "en"]), field("mail", &["a@b.org"]), field("user.first_name", &["Ada"])],
        ..ColumnProfile::default()
    };
    let table = TableProfile {
        table: TableName::from_unqualified("events"),
        row_count: Some(6),
        profiled_rows: 6,
        columns: vec![column],
    };
    let told = |level, allowed: &[&str]| {
        let allowed = allowed.iter().map(|name| (*name).to_owned()).collect();
        let policy = EgressPolicy { level, allowed, ..EgressPolicy::default() };
        let egress = Egress { policy: Some(policy), ..make_egress(level, &[]) };
        let mut profile = Arc::new(Profile { tables: vec![table.clone()], ..Profile::default() });
        egress.redact_metadata(&mut Arc::new(people_catalog()), &mut profile);
        let column = &profile.tables[0].columns[0];
        let values: Vec<usize> = column.fields.iter().map(|field| field.top.len()).collect();
        (values, column.paths.iter().map(|(_, data_type)| data_type.clone()).collect::<Vec<_>>())
    };
    assert_eq!(told(EgressLevel::Results, &[]), (vec![2, 0, 0], vec!["text 'de' | 'en'".into(), "text".into()]));
    assert_eq!(told(EgressLevel::Results, &["events.payload"]).0, [2, 1, 1]);
    assert_eq!(told(EgressLevel::Profile, &[]), (vec![0, 0, 0], vec!["text".into(), "text".into()]));
}

#[test]
fn printed_output_is_shown_where_results_are_and_masked_by_looks() {
    let printed = "name    mail\nAda     ada@example.org\n{'phone': '+43 660 1234567', 'n': 3}  +43 660 1234567";
    let show = |level, masked: &[(&str, &str)]| make_egress(level, masked).show_output(printed);
    assert_eq!(show(EgressLevel::Samples, &[]), None);
    assert_eq!(show(EgressLevel::Results, &[("people", "email")]), None, "its values may be among the output");
    let shown = show(EgressLevel::Results, &[]).unwrap();
    assert!(shown.starts_with("name    mail\nAda     [masked]\n"), "{shown}");
    assert!(shown.ends_with("{'phone': '[masked]', 'n': 3}  [masked]"), "{shown}");
    assert_eq!(Egress::default().show_output(printed).as_deref(), Some(printed), "nothing leaves the program");
}
