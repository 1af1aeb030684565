use super::*;
use crate::bind::bind_names;
use crate::dialect::DialectExt;
use proptest::prelude::*;
use vitrine_domain::{Column, Table, TableKind, TableName};

const DIALECTS: [Dialect; 10] = [
    Dialect::Sqlite,
    Dialect::Duckdb,
    Dialect::Snowflake,
    Dialect::Bigquery,
    Dialect::Postgres,
    Dialect::Mysql,
    Dialect::Clickhouse,
    Dialect::Databricks,
    Dialect::Trino,
    Dialect::Mssql,
];

fn build_catalog(dialect: Dialect, tables: &[(&str, &[&str])]) -> Catalog {
    let column = |name: &&str| Column {
        name: (*name).to_owned(),
        data_type: "INTEGER".to_owned(),
        nullable: true,
        comment: None,
    };
    let table = |(name, columns): &(&str, &[&str])| Table {
        name: TableName::from_unqualified(*name),
        kind: TableKind::Table,
        columns: columns.iter().map(column).collect(),
        primary_key: Vec::new(),
        definition: None,
        unique_keys: Vec::new(),
        foreign_keys: Vec::new(),
        comment: None,
        row_count: None,
    };
    Catalog {
        database: "files".into(),
        dialect,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: String::new(),
        tables: tables.iter().map(table).collect(),
    }
}

fn sales_catalog(dialect: Dialect) -> Catalog {
    let columns = [
        "id",
        "a",
        "b",
        "a-b",
        "Betrag €",
        "Kunden-Nr",
        "order date",
        "Anteil %",
        "%",
        "Größe (cm)",
        "2023 Umsatz",
        "2023",
        "select",
        "order",
        "Umsatz 1. Quartal",
        "Kunde's Wahl",
        "Preis 💶",
        "v1.2",
        "Anzahl",
        "Anzahl Order",
        "3D",
    ];
    build_catalog(dialect, &[("umsatz", &columns), ("Kunden-Liste", &["id", "Kunden-Nr", "Name"])])
}

fn repair_quotes(sql: &str, catalog: &Catalog) -> Option<QuotedNames> {
    quote_names(sql, catalog, &[], &|text| ReadOnlySql::parse(text, catalog.dialect).ok())
}

/// Returns the repaired text, with double quotes in every dialect.
fn with_quotes(sql: &str, dialect: Dialect) -> Option<String> {
    let mark = dialect.sql().identifier_quote().to_string();
    repair_quotes(sql, &sales_catalog(dialect)).map(|quoted| quoted.sql.replace(&mark, "\""))
}

#[test]
fn names_without_quotes_get_them_in_every_dialect() {
    for dialect in DIALECTS {
        for (written, quoted) in [
            ("SELECT SUM(Betrag €) FROM umsatz", "SELECT SUM(\"Betrag €\") FROM umsatz"),
            (
                "SELECT t.Kunden-Nr, SUM(t.Betrag €) AS s FROM umsatz AS t GROUP BY t.Kunden-Nr ORDER BY s",
                "SELECT t.\"Kunden-Nr\", SUM(t.\"Betrag €\") AS s FROM umsatz AS t GROUP BY t.\"Kunden-Nr\" ORDER BY s",
            ),
            ("SELECT kunden-nr FROM umsatz", "SELECT \"Kunden-Nr\" FROM umsatz"),
            (
                "SELECT o.order date FROM umsatz o ORDER BY o.order date DESC",
                "SELECT o.\"order date\" FROM umsatz o ORDER BY o.\"order date\" DESC",
            ),
            ("SELECT MAX(order\n  date) FROM umsatz", "SELECT MAX(\"order date\") FROM umsatz"),
            ("SELECT AVG(%), MAX(Anteil %) FROM umsatz", "SELECT AVG(\"%\"), MAX(\"Anteil %\") FROM umsatz"),
            ("SELECT MAX(Größe (cm)) FROM umsatz", "SELECT MAX(\"Größe (cm)\") FROM umsatz"),
            ("SELECT 2023 Umsatz FROM umsatz", "SELECT \"2023 Umsatz\" FROM umsatz"),
            ("SELECT SUM(2023 Umsatz) FROM umsatz", "SELECT SUM(\"2023 Umsatz\") FROM umsatz"),
            ("SELECT SUM(2023) FROM umsatz", "SELECT SUM(\"2023\") FROM umsatz"),
            ("SELECT SUM(3D) FROM umsatz", "SELECT SUM(\"3D\") FROM umsatz"),
            ("SELECT SUM(Umsatz 1. Quartal) FROM umsatz", "SELECT SUM(\"Umsatz 1. Quartal\") FROM umsatz"),
            (
                "SELECT Preis 💶 FROM umsatz WHERE Preis 💶 > 5",
                "SELECT \"Preis 💶\" FROM umsatz WHERE \"Preis 💶\" > 5",
            ),
            (
                "SELECT Kunde's Wahl FROM umsatz WHERE id = 'Betrag €'",
                "SELECT \"Kunde's Wahl\" FROM umsatz WHERE id = 'Betrag €'",
            ),
            (
                "SELECT l.Name FROM Kunden-Liste l JOIN umsatz u ON l.Kunden-Nr = u.Kunden-Nr -- Betrag €",
                "SELECT l.Name FROM \"Kunden-Liste\" l JOIN umsatz u ON l.\"Kunden-Nr\" = u.\"Kunden-Nr\" -- Betrag €",
            ),
            (
                "SELECT Anzahl, SUM(Betrag €) FROM umsatz GROUP BY Anzahl ORDER BY Anzahl",
                "SELECT Anzahl, SUM(\"Betrag €\") FROM umsatz GROUP BY Anzahl ORDER BY Anzahl",
            ),
            (
                "SELECT SUM(a) - SUM(b), SUM(Betrag €) FROM umsatz",
                "SELECT SUM(a) - SUM(b), SUM(\"Betrag €\") FROM umsatz",
            ),
        ] {
            assert_eq!(with_quotes(written, dialect).as_deref(), Some(quoted), "{dialect:?}: {written}");
        }
    }
}

#[test]
fn every_changed_name_is_told_once() {
    let quoted =
        repair_quotes("SELECT Betrag €, SUM(Betrag €) FROM umsatz GROUP BY Betrag €", &sales_catalog(Dialect::Duckdb))
            .unwrap();
    assert_eq!(quoted.notes, ["Betrag € was read as \"Betrag €\""]);
    assert_eq!(
        unquoted_names("SELECT x FROM umsatz WHERE Betrag € > 3", &sales_catalog(Dialect::Duckdb)),
        ["Betrag €"]
    );
    assert_eq!(
        unquoted_names("SELECT 'Betrag €', \"Betrag €\"", &sales_catalog(Dialect::Duckdb)),
        Vec::<String>::new()
    );
}

#[test]
fn a_query_that_means_what_it_says_stays() {
    for dialect in DIALECTS {
        let mark = dialect.sql().identifier_quote();
        for sql in [
            "SELECT a-b FROM umsatz",
            "SELECT a - b FROM umsatz",
            "SELECT a % b FROM umsatz WHERE id % 2 = 1",
            "SELECT id, 2023 FROM umsatz",
            "SELECT 2023 AS jahr, SUM(id) FROM umsatz",
            "SELECT SUM(1) FROM umsatz",
            "SELECT COUNT(*) FROM umsatz ORDER BY 1",
            "SELECT 'Betrag €' AS x, id FROM umsatz WHERE id IN (2023)",
            "SELECT \"Kunden-Nr\", SUM(\"Betrag €\") FROM umsatz GROUP BY \"Kunden-Nr\"",
            "SELECT SUM(\"2023\"), SUM(2023) FROM umsatz",
        ] {
            let sql = sql.replace('"', &mark.to_string());
            assert_eq!(repair_quotes(&sql, &sales_catalog(dialect)), None, "{dialect:?}: {sql}");
        }
    }
}

#[test]
fn nothing_is_guessed() {
    for sql in [
        // Both the difference of two columns and the column of that name are possible.
        "SELECT a-b, SUM(Betrag €) FROM umsatz",
        // No table in scope has it.
        "SELECT Betrag € FROM \"Kunden-Liste\"",
        "SELECT Betrag €uro FROM umsatz",
        "SELECT SUM(Betrag €) FORM umsatz",
        "",
        "Betrag €",
    ] {
        assert_eq!(repair_quotes(sql, &sales_catalog(Dialect::Duckdb)), None, "{sql}");
    }
}

#[test]
fn names_that_a_view_or_the_query_itself_quotes_count_as_well() {
    let catalog = sales_catalog(Dialect::Duckdb);
    let view = "SELECT id, SUM(\"Betrag €\") AS \"Summe (€)\" FROM umsatz GROUP BY id";
    let with_view = |text: &str| ReadOnlySql::parse(&format!("WITH v AS ({view}) {text}"), Dialect::Duckdb).ok();
    let quoted = quote_names("SELECT Summe (€) FROM v", &catalog, &[view], &with_view).unwrap();
    assert_eq!(quoted.sql, "SELECT \"Summe (€)\" FROM v");
    let own = format!("WITH v AS ({view}) SELECT MAX(v.Summe (€)) FROM v");
    assert!(repair_quotes(&own, &catalog).unwrap().sql.ends_with("SELECT MAX(v.\"Summe (€)\") FROM v"));
}

#[test]
fn a_misspelt_name_beside_it_is_left_to_the_repair_of_names() {
    let quoted = repair_quotes("SELECT Anzal, SUM(Betrag €) FROM umsatz", &sales_catalog(Dialect::Duckdb)).unwrap();
    assert_eq!(quoted.sql, "SELECT Anzal, SUM(\"Betrag €\") FROM umsatz");
}

fn name_strategy() -> impl Strategy<Value = Vec<String>> {
    let letter = prop::sample::select(vec!['a', 'b', 'ü', ' ', '-', '€', '%', '.', '1', '2', '(', ')', '/', '#', '💶']);
    let odd = prop::collection::vec(letter, 1..6).prop_map(|letters| letters.into_iter().collect::<String>());
    let known = prop::sample::select(vec!["order date", "select", "order", "a", "b", "a b", "a-b", "Nr.", "by"]);
    let name = prop_oneof![odd, known.prop_map(str::to_owned)].prop_map(|name| name.trim().to_owned());
    // A number that is also a name stays a number.
    let name = name.prop_filter("a name", |name| !name.is_empty() && name.parse::<f64>().is_err());
    prop::collection::vec(name, 3..6).prop_map(|mut names| {
        let mut seen = HashSet::new();
        names.retain(|name| seen.insert(name.to_lowercase()));
        names
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn a_query_without_its_quotes_means_the_same_or_is_left(
        names in name_strategy(), dialect in prop::sample::select(DIALECTS.to_vec()), table in "[a-c]{2}[ -]?[a-c]{2}", shape in 0..4
    ) {
        let columns: Vec<&str> = names.iter().map(String::as_str).collect();
        let catalog = build_catalog(dialect, &[(&table, &columns)]);
        let at = |place: usize| columns[place % columns.len()];
        let sql = |quote: &dyn Fn(&str) -> String| {
            let (first, second, third, table) = (quote(at(0)), quote(at(1)), quote(at(2)), quote(&table));
            match shape {
                0 => format!("SELECT SUM({first}) FROM {table}"),
                1 => format!("SELECT t.{first}, MAX(t.{second}) AS m FROM {table} AS t WHERE t.{third} > 5 GROUP BY t.{first}"),
                2 => format!("SELECT {first}, {second} FROM {table} WHERE {third} = 'x' ORDER BY {first} DESC"),
                _ => format!("WITH w AS (SELECT {first}, {second} FROM {table}) SELECT COUNT(*) FROM w WHERE {second} <> 3"),
            }
        };
        let columns_of = |sql: &str| {
            let bound = bind_names(&ReadOnlySql::parse(sql, dialect).ok()?, &catalog);
            bound.problems.is_empty().then(|| bound.columns.into_iter().collect::<HashSet<_>>())
        };
        let meant = columns_of(&sql(&|name| quote_identifier(name, dialect)));
        let written = sql(&|name| name.to_owned());
        if let (Some(meant), Some(quoted)) = (meant, repair_quotes(&written, &catalog))
            && let Some(columns) = columns_of(&quoted.sql)
        {
            prop_assert_eq!(columns, meant, "{}: {}", written, quoted.sql);
        }
    }

    #[test]
    fn no_text_makes_it_fail(text in "[SELCTFROMa-c€%'\"`\\[\\]().,$#\\-/* 1-3\n]{0,40}", dialect in prop::sample::select(DIALECTS.to_vec())) {
        let catalog = sales_catalog(dialect);
        let text = format!("SELECT Betrag € {text}");
        let whole: String = scan_parts(&text, dialect, &OddNames::default()).iter().map(|part| &text[part.at.clone()]).collect();
        prop_assert_eq!(whole, text.clone());
        let _ = repair_quotes(&text, &catalog);
    }
}
