use crate::fixtures::{concerts, shop};
use proptest::prelude::*;
use vitrine_domain::Dialect;
use vitrine_sql::{
    Cte, ReadOnlySql, bind_names, build_program, collect_literals, format_sql, quote_identifier, repair_names,
    sort_topologically, split_ctes,
};

fn dialects() -> impl Strategy<Value = Dialect> {
    prop_oneof![
        Just(Dialect::Sqlite),
        Just(Dialect::Duckdb),
        Just(Dialect::Snowflake),
        Just(Dialect::Bigquery),
        Just(Dialect::Postgres),
        Just(Dialect::Mysql),
        Just(Dialect::Clickhouse),
        Just(Dialect::Databricks),
        Just(Dialect::Trino),
        Just(Dialect::Mssql)
    ]
}

/// Words as a model might produce them: mostly SQL, in random order.
fn soup() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "SELECT",
        "FROM",
        "WHERE",
        "GROUP BY",
        "ORDER BY",
        "LIMIT",
        "WITH",
        "AS",
        "(",
        ")",
        ",",
        "*",
        ".",
        "singer",
        "stadium",
        "concert",
        "name",
        "T1",
        "T1.name",
        "count(*)",
        "sum(",
        "age",
        "=",
        "<",
        "AND",
        "OR",
        "NOT",
        "IN",
        "LIKE",
        "'x'",
        "\"y\"",
        "1",
        "2.5",
        "JOIN",
        "ON",
        "USING",
        "UNION",
        "EXCEPT",
        "CASE",
        "WHEN",
        "THEN",
        "END",
        "OVER",
        "PARTITION BY",
        "->",
        "->>",
        "::",
        "[",
        "]",
        "{",
        "}",
        ";",
        "--",
        "/*",
        "*/",
        "\n",
        "'",
        "\"",
        "`",
        "$$",
        "EXISTS",
        "BETWEEN",
        "IS NULL",
        "DISTINCT",
        "HAVING",
        "QUALIFY",
        "PIVOT",
        "EXCLUDE",
        "VALUES",
        "INSERT INTO",
        "DELETE",
        "DROP TABLE",
        "é",
        "\u{0}",
        "?",
        ":a",
        "$1",
        "LATERAL",
        "UNNEST",
        "CAST",
        "INTERVAL",
        "EXTRACT",
    ]);
    prop::collection::vec(word, 0..40).prop_map(|words| words.join(" "))
}

/// Small valid queries over the concerts, with correct, wrong or ambiguous names.
fn query() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec![
        "name",
        "age",
        "T1.name",
        "T2.capacity",
        "T1.nme",
        "capacity",
        "stadium.name",
        "theme",
        "\"x\"",
        "stadium_id",
    ]);
    let from = prop::sample::select(vec![
        "singer AS T1",
        "singer T1 JOIN stadium T2 ON T1.age = T2.capacity",
        "concert T1, stadium T2",
        "singers",
        "concert",
        "(SELECT name, age FROM singer) T1",
        "a",
    ]);
    let test = prop::sample::select(vec![
        "",
        "WHERE age > 3",
        "WHERE country = \"US\"",
        "WHERE T1.name IN (SELECT name FROM stadium)",
        "GROUP BY name",
        "ORDER BY n LIMIT 3",
    ]);
    (prop::collection::vec(name, 1..4), from, test, any::<bool>()).prop_map(|(names, from, test, view)| {
        let select = format!("SELECT {}, count(*) AS n FROM {from} {test}", names.join(", "));
        if view { format!("WITH a AS (SELECT * FROM singer), b AS ({select}) SELECT * FROM b") } else { select }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_brings_anything_down(text in prop_oneof![soup(), any::<String>()], dialect in dialects()) {
        let _ = format_sql(&text, dialect);
        let _ = split_ctes(&text, dialect);
        let _ = vitrine_ddl::parse(&text, dialect);
        if let Ok(sql) = ReadOnlySql::parse(&text, dialect) {
            let catalog = if dialect == Dialect::Sqlite { concerts() } else { shop() };
            let _ = (bind_names(&sql, &catalog), repair_names(&sql, &catalog), collect_literals(&sql));
        }
    }

    #[test]
    fn what_was_accepted_stays_accepted_when_laid_out(text in prop_oneof![soup(), query()], dialect in dialects()) {
        if let Ok(sql) = ReadOnlySql::parse(&text, dialect) {
            let again = ReadOnlySql::parse(sql.as_str(), dialect);
            prop_assert_eq!(again.as_ref().map(ReadOnlySql::as_str), Ok(sql.as_str()));
            let laid_out = ReadOnlySql::parse(&format_sql(sql.as_str(), dialect), dialect);
            prop_assert!(laid_out.is_ok(), "{:?}", laid_out);
            if let Ok(laid_out) = laid_out {
                prop_assert_eq!(collect_literals(&laid_out), collect_literals(&sql));
            }
        }
    }

    #[test]
    fn a_mended_query_binds_and_keeps_its_columns(text in query()) {
        let catalog = concerts();
        let sql = ReadOnlySql::parse(&text, Dialect::Sqlite).expect("valid");
        let before = bind_names(&sql, &catalog);
        if let Some(repaired) = repair_names(&sql, &catalog) {
            prop_assert!(!before.problems.is_empty());
            prop_assert_eq!(bind_names(&repaired.sql, &catalog).problems, vec![]);
            prop_assert_eq!(bind_names(&repaired.sql, &catalog).outputs.len(), bind_names(&sql, &catalog).outputs.len());
        }
    }

    #[test]
    fn views_come_apart_and_together(edges in prop::collection::vec((0usize..6, 0usize..6), 0..10), dialect in dialects()) {
        let names = ["a", "b", "c", "d", "e", "Select"];
        // Only edges to views with a lower number, which prevents cycles.
        let reads = |i: usize| edges.iter().filter(move |(x, y)| x.max(y) == &i && x != y).map(|(x, y)| *x.min(y));
        let text: Vec<String> = (0..6)
            .rev()
            .map(|i| {
                let from: Vec<String> = reads(i).map(|j| quote_identifier(names[j], dialect)).collect();
                let from = if from.is_empty() { String::new() } else { format!(" FROM {}", from.join(", ")) };
                format!("{} AS (SELECT {i} AS x{from})", quote_identifier(names[i], dialect))
            })
            .collect();
        let split = split_ctes(&text.join(",\n"), dialect).expect("split");
        prop_assert_eq!(split.ctes.len(), 6);
        let order = sort_topologically(&split.ctes).expect("no circle");
        for (place, &i) in order.iter().enumerate() {
            for read in &split.ctes[i].depends_on {
                prop_assert!(order[..place].iter().any(|&j| &split.ctes[j].name == read));
            }
        }
        for cte in &split.ctes {
            let sql = build_program(&split.ctes, &cte.name, dialect).expect("program");
            let again = split_ctes(&sql, dialect).expect("split again");
            let sorted = |c: &Cte| {
                let mut c = c.clone();
                c.depends_on.sort();
                c
            };
            let same = |c: &Cte| split.ctes.iter().any(|o| sorted(o) == sorted(c));
            prop_assert!(again.ctes.iter().all(same));
            let name = &cte.name;
            prop_assert!(again.ctes.iter().any(|c| &c.name == name));
        }
    }

    #[test]
    fn quoted_names_are_read_back(name in "[ -~]{1,12}|\\PC{1,6}", dialect in dialects()) {
        prop_assume!(!name.contains(['`', '\\', '\0', '.']) && !name.starts_with(['@', '$']));
        let text = format!("{} AS (SELECT 1 AS x)", quote_identifier(&name, dialect));
        let split = split_ctes(&text, dialect);
        prop_assert_eq!(split.map(|s| s.ctes[0].name.clone()), Ok(name));
    }
}
