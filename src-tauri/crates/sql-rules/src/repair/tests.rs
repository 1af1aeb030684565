use crate::fixtures::{catalog_with, rule_input, typed_table};
use crate::{
    QuestionFacts, apply_safe_rules, find_path_readings, find_variants, repair_names, repair_refused,
    variants_of_unbound,
};
use vitrine_domain::{Catalog, ColumnProfile, Dialect, Profile, SemanticKind, TableName, TableProfile};

/// Applies all rules to a query whose names bind.
fn apply_all_rules(sql: &ReadOnlySql, catalog: &Catalog, profile: &Profile) -> Option<ReadOnlySql> {
    let facts = QuestionFacts::default();
    let input = rule_input(catalog, profile, &facts);
    let changed = apply_safe_rules(sql, &input).map(|changed| changed.sql);
    let last = find_variants(changed.as_ref().unwrap_or(sql), &input).pop().map(|variant| variant.sql);
    last.or(changed)
}

/// Returns the query on one line after its names are repaired. `None` if nothing is or can be repaired.
fn with_repaired_names(sql: &str, catalog: &Catalog) -> Option<String> {
    let parsed = ReadOnlySql::parse(sql, catalog.dialect).unwrap();
    let (profile, facts) = (Profile::default(), QuestionFacts::default());
    let changed = repair_names(&parsed, &rule_input(catalog, &profile, &facts)).ok().flatten()?;
    Some(changed.sql.as_str().split_whitespace().collect::<Vec<_>>().join(" "))
}
use vitrine_sql::ReadOnlySql;

fn shop_catalog(dialect: Dialect) -> Catalog {
    Catalog {
        database: "shop".into(),
        dialect,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: String::new(),
        tables: vec![
            typed_table(
                "store",
                &[("id", "INTEGER"), ("region", "TEXT"), ("area", "REAL"), ("staff", "INTEGER")],
                &["id"],
                &[],
            ),
            typed_table(
                "visit",
                &[("id", "INTEGER"), ("store_id", "INTEGER"), ("customer", "TEXT"), ("day", "TEXT")],
                &["id"],
                &[("store_id", "store", "id")],
            ),
            typed_table("brand", &[("id", "INTEGER"), ("label", "TEXT")], &["id"], &[]),
            typed_table(
                "stock",
                &[("store", "INTEGER"), ("brand", "INTEGER")],
                &["store", "brand"],
                &[("store", "store", "id"), ("brand", "brand", "id")],
            ),
        ],
    }
}

/// A visit's day is a number stored as text; the `staff` of a store holds years.
fn shop_profile() -> Profile {
    let day = ColumnProfile {
        name: "day".into(),
        kind: SemanticKind::Metric,
        null_ratio: 0.0,
        distinct: 31,
        min: None,
        max: None,
        mean: None,
        top: Vec::new(),
        samples: Vec::new(),
        complete: false,
        hidden: Some("number".into()),
        paths: Vec::new(),
        ..ColumnProfile::default()
    };
    let opened = ColumnProfile {
        name: "staff".into(),
        min: Some("1987".into()),
        max: Some("2024".into()),
        ..ColumnProfile::default()
    };
    let table = |name: &str, column| TableProfile {
        table: TableName::from_unqualified(name),
        row_count: Some(9),
        profiled_rows: 9,
        columns: vec![column],
    };
    Profile { tables: vec![table("visit", day), table("store", opened)], ..Profile::default() }
}

/// Returns the repaired SQL on one line, or the original query if nothing is repaired.
fn repaired_in(sql: &str, dialect: Dialect) -> String {
    let parsed = ReadOnlySql::parse(sql, dialect).unwrap();
    let out = apply_all_rules(&parsed, &shop_catalog(dialect), &shop_profile())
        .map_or(sql.to_owned(), |m| m.as_str().to_owned());
    out.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(").replace(" )", ")")
}

fn repair_sqlite(sql: &str) -> String {
    repaired_in(sql, Dialect::Sqlite)
}

#[test]
fn what_may_be_meant_is_left_alone() {
    for sql in [
        "SELECT customer FROM visit WHERE day = 'Mon' OR day = 'Tue'",
        "SELECT customer FROM visit WHERE day = 'Mon' AND day = 'mon'",
        "SELECT COUNT(*) FROM visit WHERE day = 'Mon' AND day = 'Tue'",
        "SELECT v.customer FROM visit AS v JOIN visit AS w ON v.customer = w.customer WHERE v.day = 'Mon' AND w.day = 'Tue'",
        "SELECT store.region, COUNT(*) FROM store JOIN visit ON store.id = visit.store_id GROUP BY store.region",
        "SELECT SUM(s.area) FROM store AS s JOIN visit AS v ON s.id = v.store_id WHERE v.day = 'Mon'",
        "SELECT s.region, SUM(s.area), COUNT(*) FROM store AS s JOIN visit AS v ON s.id = v.store_id GROUP BY s.region",
        "SELECT s.region FROM store AS s JOIN visit AS v ON s.id = v.store_id",
        "SELECT AVG(s.area) FROM visit AS v LEFT JOIN store AS s ON s.id = v.store_id",
        "SELECT SUM(v.id) FROM visit AS v JOIN store AS s ON s.id = v.store_id",
        "SELECT area / 2 FROM store",
        "SELECT region, MAX(staff) FROM store",
        "SELECT COUNT(*), AVG(area) FROM store",
        "SELECT region FROM store ORDER BY (SELECT COUNT(*) FROM visit) LIMIT 1",
        "SELECT 7 / 2",
        "SELECT s.region FROM store AS s CROSS JOIN visit AS v",
        "SELECT s.region FROM store AS s, visit AS v WHERE s.id < v.store_id",
        "SELECT s.region FROM store AS s, brand AS b",
        "SELECT s.region FROM store AS s LEFT JOIN visit AS v ON 1 = 1",
        "SELECT customer FROM visit WHERE store_id > 3 AND day = '7'",
        "SELECT region, COUNT(*) FROM store WHERE region = 'North'",
        "SELECT s.region, COUNT(*) FROM store AS s JOIN visit AS v ON s.id = v.store_id WHERE s.id = 5",
    ] {
        assert_eq!(repair_sqlite(sql), sql);
    }
}

#[test]
fn a_table_that_was_joined_for_a_column_it_does_not_have_is_left_out() {
    let catalog = shop_catalog(Dialect::Sqlite);
    let repaired = |sql: &str| with_repaired_names(sql, &catalog);
    let sql = "SELECT s.customer FROM visit AS v JOIN store AS s ON s.id = v.store_id WHERE v.day = 'Mon'";
    assert_eq!(repaired(sql).unwrap(), "SELECT v.customer FROM visit AS v WHERE v.day = 'Mon'");
    let used = "SELECT v.region FROM store AS s JOIN visit AS v ON s.id = v.store_id WHERE v.day = 'Mon'";
    assert_eq!(
        repaired(used).unwrap(),
        "SELECT s.region FROM store AS s JOIN visit AS v ON s.id = v.store_id WHERE v.day = 'Mon'"
    );
}

#[test]
fn a_table_whose_rows_are_counted_stays() {
    let catalog = shop_catalog(Dialect::Sqlite);
    let repaired = |sql: &str| with_repaired_names(sql, &catalog).unwrap();
    for (counted, after) in [
        ("SUM(CASE WHEN v.region = 'North' THEN 1 ELSE 0 END)", "SUM(CASE WHEN s.region = 'North' THEN 1 ELSE 0 END)"),
        ("COUNT(v.region)", "COUNT(s.region)"),
        ("AVG(v.area)", "AVG(s.area)"),
    ] {
        let sql = format!("SELECT {counted} FROM store AS s JOIN visit AS v ON s.id = v.store_id");
        let kept = format!("SELECT {after} FROM store AS s JOIN visit AS v ON s.id = v.store_id");
        assert_eq!(repaired(&sql), kept, "visits are counted");
    }
    // Stores without a visit would be counted, too; a visit has one store.
    for (sql, after) in [
        (
            "SELECT COUNT(DISTINCT v.region), MAX(v.area) FROM store AS s JOIN visit AS v ON s.id = v.store_id",
            "SELECT COUNT(DISTINCT s.region), MAX(s.area) FROM store AS s JOIN visit AS v ON s.id = v.store_id",
        ),
        (
            "SELECT COUNT(s.customer) FROM visit AS v JOIN store AS s ON s.id = v.store_id",
            "SELECT COUNT(v.customer) FROM visit AS v",
        ),
    ] {
        assert_eq!(repaired(sql), after);
    }
}

#[test]
fn tables_are_linked_over_the_one_between_them() {
    let catalog = shop_catalog(Dialect::Sqlite);
    let bridged = |sql: &str| with_repaired_names(sql, &catalog);
    assert_eq!(
        bridged("SELECT b.label FROM store AS s JOIN brand AS b ON s.id = b.store_id WHERE s.region = 'North'")
            .unwrap(),
        "SELECT b.label FROM store AS s JOIN stock ON s.id = stock.store JOIN brand AS b ON stock.brand = b.id WHERE \
         s.region = 'North'"
    );
    assert_eq!(
        bridged("SELECT v.day FROM store AS s JOIN visit AS v ON s.visit_id = v.id").unwrap(),
        "SELECT v.day FROM store AS s JOIN visit AS v ON s.id = v.store_id"
    );
    assert_eq!(bridged("SELECT v.day FROM store AS s JOIN visit AS v ON s.id = v.store_id"), None);
    assert_eq!(bridged("SELECT 1 FROM visit AS v JOIN brand AS b ON v.id = b.visit_id"), None, "there is no way");
    let other = "SELECT v.day FROM store AS s JOIN visit AS v ON s.id = v.referrer_id";
    assert_eq!(bridged(other), None, "who referred is another thing than where it was");
}

#[test]
fn a_reference_to_a_third_table_is_followed_over_it() {
    let catalog = Catalog {
        tables: vec![
            typed_table("continent", &[("id", "INTEGER"), ("label", "TEXT")], &["id"], &[]),
            typed_table(
                "country",
                &[("code", "INTEGER"), ("continent", "INTEGER")],
                &["code"],
                &[("continent", "continent", "id")],
            ),
            typed_table(
                "maker",
                &[("nr", "INTEGER"), ("home", "INTEGER"), ("parent", "INTEGER")],
                &["nr"],
                &[("home", "country", "code")],
            ),
            typed_table("office", &[("place", "INTEGER")], &["place"], &[("place", "country", "code")]),
        ],
        ..shop_catalog(Dialect::Sqlite)
    };
    let repaired = |sql: &str| {
        let parsed = ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
        let repaired = apply_all_rules(&parsed, &catalog, &Profile::default());
        repaired.map(|m| m.as_str().split_whitespace().collect::<Vec<_>>().join(" "))
    };
    assert_eq!(
        repaired("SELECT c.label, COUNT(*) FROM continent AS c JOIN maker AS m ON c.id = m.home GROUP BY c.label")
            .unwrap(),
        "SELECT c.label, COUNT(*) FROM continent AS c JOIN country ON c.id = country.continent JOIN maker AS m ON \
         country.code = m.home GROUP BY c.label"
    );
    assert_eq!(
        repaired("SELECT c.label FROM maker AS m JOIN continent AS c ON m.home = c.id").unwrap(),
        "SELECT c.label FROM maker AS m JOIN country ON m.home = country.code JOIN continent AS c ON \
         country.continent = c.id"
    );
    assert_eq!(
        repaired(
            "SELECT c.label FROM maker AS m JOIN country AS l ON m.home = l.code JOIN continent AS c ON m.home = c.id"
        )
        .unwrap(),
        "SELECT c.label FROM maker AS m JOIN country AS l ON m.home = l.code JOIN continent AS c ON l.continent = c.id",
        "over the table that is there already"
    );
    for right in [
        "SELECT 1 FROM maker AS m JOIN country AS l ON m.home = l.code",
        "SELECT 1 FROM maker AS m JOIN office AS o ON m.home = o.place",
        "SELECT 1 FROM maker AS m JOIN continent AS c ON m.parent = c.id",
        "SELECT 1 FROM maker AS m LEFT JOIN continent AS c ON m.home = c.id",
    ] {
        assert_eq!(repaired(right), None, "{right}");
    }
}

#[test]
fn a_forgotten_group_is_added() {
    assert_eq!(
        repair_sqlite("SELECT region FROM store ORDER BY COUNT(*) DESC LIMIT 1"),
        "SELECT region FROM store GROUP BY region ORDER BY COUNT(*) DESC LIMIT 1"
    );
    assert_eq!(
        repair_sqlite("SELECT region, COUNT(*) FROM store"),
        "SELECT region, COUNT(*) FROM store GROUP BY region"
    );
}

#[test]
fn quotients_of_whole_numbers_keep_their_fraction() {
    assert_eq!(
        repair_sqlite("SELECT SUM(CASE WHEN day = 'Mon' THEN 1 ELSE 0 END) * 100 / COUNT(*) FROM visit"),
        "SELECT CAST(SUM(CASE WHEN day = 'Mon' THEN 1 ELSE 0 END) * 100 AS REAL) / COUNT(*) FROM visit"
    );
    assert_eq!(
        repair_sqlite("SELECT SUM(staff) / COUNT(id) FROM store"),
        "SELECT CAST(SUM(staff) AS REAL) / COUNT(id) FROM store"
    );
    let sql = "SELECT SUM(staff) / COUNT(id) FROM store";
    assert_eq!(repaired_in(sql, Dialect::Duckdb), sql, "DuckDB keeps it by itself");
    assert_eq!(
        repaired_in(sql, Dialect::Postgres),
        "SELECT CAST(sum(staff) AS NUMERIC) / count(id) FROM store",
        "what is rounded to so many places has to be a decimal there"
    );
}

#[test]
fn tables_that_nothing_links_are_linked_along_their_key() {
    assert_eq!(
        repair_sqlite("SELECT s.region, v.day FROM store AS s, visit AS v WHERE s.staff > 3"),
        "SELECT s.region, v.day FROM store AS s, visit AS v WHERE s.id = v.store_id AND s.staff > 3"
    );
    assert_eq!(
        repair_sqlite("SELECT region FROM store JOIN visit WHERE staff > 3 OR customer = 'Ann'"),
        "SELECT region FROM store JOIN visit WHERE store.id = visit.store_id AND (staff > 3 OR customer = 'Ann')"
    );
}

#[test]
fn text_that_hides_numbers_is_compared_as_numbers_where_letters_would_be() {
    assert_eq!(
        repair_sqlite("SELECT customer FROM visit AS v WHERE v.day > 9 AND store_id = 1"),
        "SELECT customer FROM visit AS v WHERE CAST(v.day AS REAL) > 9 AND store_id = 1"
    );
    assert_eq!(
        repair_sqlite("SELECT customer FROM visit WHERE day BETWEEN 9 AND 12"),
        "SELECT customer FROM visit WHERE CAST(day AS REAL) BETWEEN 9 AND 12"
    );
    let sql = "SELECT customer FROM visit AS v WHERE v.day > 9";
    assert_eq!(repaired_in(sql, Dialect::Duckdb), sql, "DuckDB casts by itself, or says that it cannot");
}

#[test]
fn a_foreign_key_is_joined_with_what_it_refers_to() {
    let mut catalog = shop_catalog(Dialect::Sqlite);
    let columns = [("id", "INTEGER"), ("label", "INTEGER"), ("shelf", "TEXT")];
    catalog.tables.push(typed_table("item", &columns, &["id"], &[("label", "brand", "id")]));
    let repaired = |sql: &str| {
        let parsed = ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
        apply_all_rules(&parsed, &catalog, &shop_profile())
            .map(|m| m.as_str().split_whitespace().collect::<Vec<_>>().join(" "))
    };
    assert_eq!(
        repaired("SELECT i.shelf FROM item AS i JOIN brand AS b ON i.label = b.label WHERE b.label = 'Oak'").unwrap(),
        "SELECT i.shelf FROM item AS i JOIN brand AS b ON i.label = b.id WHERE b.label = 'Oak'"
    );
    assert_eq!(
        repaired("SELECT i.shelf FROM brand AS b JOIN item AS i ON b.label = i.label").unwrap(),
        "SELECT i.shelf FROM brand AS b JOIN item AS i ON b.id = i.label"
    );
    for right in ["i.label = b.id", "i.id = b.id"] {
        let sql = format!("SELECT i.shelf FROM item AS i JOIN brand AS b ON {right}");
        assert_eq!(repaired(&sql), None, "{sql}");
    }
}

#[test]
fn the_year_of_a_year_is_the_year() {
    for (sql, dialect, expected) in [
        (
            "SELECT strftime('%Y', staff), COUNT(*) FROM store GROUP BY strftime('%Y', staff) ORDER BY strftime('%Y', staff)",
            Dialect::Sqlite,
            "SELECT staff, COUNT(*) FROM store GROUP BY staff ORDER BY staff",
        ),
        (
            "SELECT s.id FROM store AS s WHERE EXTRACT(YEAR FROM s.staff) = 2021",
            Dialect::Postgres,
            "SELECT s.id FROM store AS s WHERE s.staff = 2021",
        ),
        ("SELECT id FROM store WHERE year(staff) > 2020", Dialect::Duckdb, "SELECT id FROM store WHERE staff > 2020"),
        ("SELECT date_part('year', staff) FROM store", Dialect::Duckdb, "SELECT staff FROM store"),
        ("SELECT to_char(staff, 'YYYY') FROM store", Dialect::Postgres, "SELECT staff FROM store"),
    ] {
        assert_eq!(repaired_in(sql, dialect), expected);
    }
    for sql in [
        "SELECT strftime('%Y', day) FROM visit",
        "SELECT strftime('%m', staff) FROM store",
        "SELECT strftime('%Y', id) FROM store",
        "SELECT strftime('%Y', staff, 'unixepoch') FROM store",
    ] {
        assert_eq!(repair_sqlite(sql), sql, "may be a date");
    }
}

#[test]
fn a_join_that_selects_rows_is_kept_and_its_removal_is_a_variant() {
    let catalog = catalog_with(
        Dialect::Sqlite,
        vec![
            typed_table("country", &[("country_id", "INTEGER"), ("title", "TEXT")], &["country_id"], &[]),
            typed_table(
                "maker",
                &[("maker_id", "INTEGER"), ("label", "TEXT"), ("country", "INTEGER")],
                &["maker_id"],
                &[("country", "country", "country_id")],
            ),
        ],
    );
    let (profile, facts) = (Profile::default(), QuestionFacts::default());
    let squeeze = |sql: &ReadOnlySql| sql.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
    let repaired = |sql: &str| {
        let parsed = ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
        let input = rule_input(&catalog, &profile, &facts);
        let made = repair_names(&parsed, &input).ok().flatten().map(|changed| squeeze(&changed.sql));
        let variants = variants_of_unbound(&parsed, &input);
        (made, variants.iter().map(|variant| (variant.rule.to_string(), squeeze(&variant.sql))).collect::<Vec<_>>())
    };
    // Countries with a maker: the join selects rows.
    assert_eq!(
        repaired("SELECT m.title FROM country AS c JOIN maker AS m ON c.country_id = m.country"),
        (
            Some("SELECT c.title FROM country AS c JOIN maker AS m ON c.country_id = m.country".to_owned()),
            vec![("N002+N008".to_owned(), "SELECT c.title FROM country AS c".to_owned())]
        )
    );
    // A maker has one country.
    assert_eq!(
        repaired("SELECT c.label FROM maker AS m JOIN country AS c ON c.country_id = m.country"),
        (Some("SELECT m.label FROM maker AS m".to_owned()), vec![])
    );
}

#[test]
fn the_question_chooses_among_several_keys_and_equal_ones_are_readings() {
    let catalog = catalog_with(
        Dialect::Sqlite,
        vec![
            typed_table("customer", &[("id", "INTEGER"), ("country", "TEXT")], &["id"], &[]),
            typed_table("store", &[("id", "INTEGER"), ("country", "TEXT")], &["id"], &[]),
            typed_table(
                "sale",
                &[("id", "INTEGER"), ("amount", "INTEGER"), ("customer_id", "INTEGER"), ("store_id", "INTEGER")],
                &["id"],
                &[("customer_id", "customer", "id"), ("store_id", "store", "id")],
            ),
        ],
    );
    let mut profile = Profile::default();
    let repaired = |sql: &str, question: &str, profile: &Profile| {
        let parsed = ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
        let facts = QuestionFacts::from_question(question, &catalog);
        let input = rule_input(&catalog, profile, &facts);
        let joined = |sql: &str| if sql.contains("JOIN customer") { "customer" } else { "store" };
        let taken = repair_names(&parsed, &input).ok().flatten().map(|changed| joined(changed.sql.as_str()));
        let others: Vec<String> = find_path_readings(&parsed, &input)
            .into_iter()
            .map(|variant| {
                format!("{} / {}: {}", variant.as_written.unwrap(), variant.note, joined(variant.sql.as_str()))
            })
            .collect();
        (taken, others)
    };
    let by_country = "SELECT country, SUM(amount) FROM sale GROUP BY country";
    assert_eq!(repaired(by_country, "Revenue by country of the store", &profile), (Some("store"), vec![]));
    assert_eq!(repaired(by_country, "Revenue by customer country", &profile), (Some("customer"), vec![]));
    assert_eq!(
        repaired(by_country, "Umsatz je Land", &profile),
        (
            Some("customer"),
            vec!["country of customer, joined by customer_id / country of store, joined by store_id: store".to_owned()]
        )
    );
    assert_eq!(repaired(by_country, "", &profile), (None, vec![]), "no question, no choice");
    let mut stored = ColumnProfile { name: "country".into(), ..ColumnProfile::default() };
    stored.top = vec![("FR".into(), 3)];
    profile.tables.push(TableProfile {
        table: TableName::from_unqualified("store"),
        row_count: Some(3),
        profiled_rows: 3,
        columns: vec![stored],
    });
    let in_france = "SELECT SUM(amount) FROM sale WHERE country = 'FR'";
    assert_eq!(repaired(in_france, "Revenue in FR", &profile), (Some("store"), vec![]), "only stores have the value");
    assert_eq!(repaired(by_country, "Revenue by country", &profile).1.len(), 1);
}

#[test]
fn a_table_taken_for_its_neighbour_is_told_by_the_column_that_it_lacks() {
    let mut catalog = shop_catalog(Dialect::Sqlite);
    let columns = [("visit_id", "INTEGER"), ("name", "TEXT")];
    catalog.tables.push(typed_table("guest", &columns, &["visit_id", "name"], &[("visit_id", "visit", "id")]));
    let taken = |sql: &str| {
        let parsed = ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
        let (profile, facts) = (Profile::default(), QuestionFacts::default());
        let variant = variants_of_unbound(&parsed, &rule_input(&catalog, &profile, &facts)).pop()?;
        Some(variant.sql.as_str().split_whitespace().collect::<Vec<_>>().join(" "))
    };
    assert_eq!(
        taken("SELECT s.region, COUNT(g.visit_id) AS n FROM store AS s JOIN guest AS g ON s.id = g.store_id GROUP BY s.region ORDER BY COUNT(g.visit_id)").unwrap(),
        "SELECT s.region, COUNT(g.id) AS n FROM store AS s JOIN visit AS g ON s.id = g.store_id GROUP BY s.region ORDER BY \
         COUNT(g.id)"
    );
    assert_eq!(
        taken("SELECT store.region, guest.visit_id FROM guest LEFT JOIN store ON guest.store_id = store.id").unwrap(),
        "SELECT store.region, visit.id FROM visit LEFT JOIN store ON visit.store_id = store.id"
    );
    // If the table's own column is used, or its rows are counted, the path goes through the link table.
    for used in ["g.name, g.visit_id", "g.visit_id, COUNT(*)", "COUNT(g.store_id)"] {
        let sql = format!("SELECT {used} FROM store AS s JOIN guest AS g ON s.id = g.store_id");
        let found = taken(&sql).unwrap_or_default();
        assert!(!found.contains("visit AS g"), "{found}");
    }
}

#[test]
fn text_with_a_decimal_comma_is_compared_as_the_number_that_it_is() {
    let mut profile = shop_profile();
    profile.tables[0].columns[0].hidden = Some("number 1.234,56".into());
    let in_sqlite = |sql: &str| {
        let parsed = ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
        apply_all_rules(&parsed, &shop_catalog(Dialect::Sqlite), &profile)
            .map(|out| out.as_str().split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let repaired = in_sqlite("SELECT customer FROM visit WHERE day > 1200").unwrap();
    let repaired = repaired.replace(" (", "(");
    assert!(repaired.contains("CAST(REPLACE(REPLACE(TRIM(day), '.', ''), ',', '.') AS REAL) > 1200"), "{repaired}");
    assert_eq!(in_sqlite("SELECT customer FROM visit WHERE day = '1.200,00'"), None, "compared as it is stored");
}

/// Asserts that each of the first texts is rewritten as the paired one with one reported change, and that the other
/// texts stay unchanged.
fn are_written_as(dialect: Dialect, otherwise: &[(&str, &str)], right: &[&str]) {
    let one_line = |sql: &ReadOnlySql| sql.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
    let catalog = shop_catalog(dialect);
    let (profile, facts) = (Profile::default(), QuestionFacts::default());
    for (sql, wanted) in otherwise {
        let sql = ReadOnlySql::parse(sql, dialect).unwrap();
        let changed = apply_safe_rules(&sql, &rule_input(&catalog, &profile, &facts))
            .unwrap_or_else(|| panic!("{}", sql.as_str()));
        assert_eq!(one_line(&changed.sql), *wanted);
        assert_eq!(changed.changes.len(), 1, "{changed:?}");
    }
    for right in right {
        let sql = ReadOnlySql::parse(right, dialect).unwrap();
        assert_eq!(apply_safe_rules(&sql, &rule_input(&catalog, &profile, &facts)), None, "{right}");
    }
}

#[test]
fn what_only_other_dialects_take_is_written_as_trino_has_it() {
    let otherwise = [
        (
            "SELECT id FROM store ORDER BY id LIMIT 5 OFFSET 10",
            "SELECT id FROM store ORDER BY id OFFSET 10 ROWS FETCH FIRST 5 ROWS ONLY",
        ),
        (
            "SELECT upper(region) AS r, COUNT(*) FROM store GROUP BY r",
            "SELECT upper(region) AS r, COUNT(*) FROM store GROUP BY upper(region)",
        ),
        ("SELECT id FROM store WHERE region ILIKE '%a%'", "SELECT id FROM store WHERE LOWER(region) LIKE '%a%'"),
        (
            "SELECT id FROM store WHERE region NOT ILIKE 'A%'",
            "SELECT id FROM store WHERE LOWER(region) NOT LIKE LOWER('A%')",
        ),
        ("SELECT staff::TEXT FROM store", "SELECT CAST(staff AS VARCHAR) FROM store"),
    ];
    let right = [
        "SELECT id FROM store ORDER BY id LIMIT 5",
        // Refers to a column of a table, not to the alias.
        "SELECT upper(region) AS region, COUNT(*) FROM store GROUP BY region",
        "SELECT CAST(staff AS VARCHAR) FROM store WHERE region LIKE '%A%'",
    ];
    are_written_as(Dialect::Trino, &otherwise, &right);
}

#[test]
fn what_only_other_dialects_take_is_written_as_sql_server_has_it() {
    let otherwise = [
        ("SELECT id FROM store ORDER BY id LIMIT 5", "SELECT TOP (5) id FROM store ORDER BY id"),
        (
            "SELECT id FROM store ORDER BY id LIMIT 5 OFFSET 10",
            "SELECT id FROM store ORDER BY id OFFSET 10 ROWS FETCH FIRST 5 ROWS ONLY",
        ),
        (
            "SELECT upper(region) AS r, COUNT(*) FROM store GROUP BY r",
            "SELECT upper(region) AS r, COUNT(*) FROM store GROUP BY upper(region)",
        ),
        ("SELECT region, COUNT(*) FROM store GROUP BY 1", "SELECT region, COUNT(*) FROM store GROUP BY region"),
        ("SELECT id FROM store ORDER BY staff DESC NULLS LAST", "SELECT id FROM store ORDER BY staff DESC"),
        (
            "SELECT RANK() OVER (ORDER BY staff DESC NULLS LAST) FROM store",
            "SELECT RANK() OVER (ORDER BY staff DESC) FROM store",
        ),
        ("SELECT id FROM store WHERE region ILIKE '%a%'", "SELECT id FROM store WHERE LOWER(region) LIKE '%a%'"),
        ("SELECT staff::TEXT FROM store", "SELECT CAST(staff AS NVARCHAR(4000)) FROM store"),
        (
            "SELECT region || '-' || staff FROM store",
            "SELECT ( (CAST(region AS NVARCHAR(4000)) + '-') + CAST(staff AS NVARCHAR(4000)) ) FROM store",
        ),
        (
            "SELECT region || (id + staff) FROM store",
            "SELECT ( CAST(region AS NVARCHAR(4000)) + CAST((id + staff) AS NVARCHAR(4000)) ) FROM store",
        ),
        ("SELECT id + staff || '!' FROM store", "SELECT id + (CAST(staff AS NVARCHAR(4000)) + '!') FROM store"),
        ("SELECT id FROM store WHERE staff = TRUE", "SELECT id FROM store WHERE staff = 1"),
        ("SELECT id FROM store WHERE region = 'Małopolska'", "SELECT id FROM store WHERE region = N'Małopolska'"),
        (
            "SELECT r FROM (SELECT region AS r FROM store ORDER BY region) AS q",
            "SELECT r FROM (SELECT region AS r FROM store) AS q",
        ),
    ];
    let right = [
        "SELECT TOP (5) id FROM store ORDER BY staff DESC",
        "SELECT upper(region) AS region, COUNT(*) FROM store GROUP BY region",
        "SELECT id FROM store ORDER BY id OFFSET 10 ROWS FETCH NEXT 5 ROWS ONLY",
        "SELECT staff + 1, region + '!' FROM store WHERE region <> N'Małopolska'",
        // The engine rejects it, rather than silently using another order.
        "SELECT id FROM store ORDER BY staff NULLS LAST",
    ];
    are_written_as(Dialect::Mssql, &otherwise, &right);
}

#[test]
fn lists_of_trino_are_read_by_its_own_functions() {
    let one_line = |sql: &ReadOnlySql| sql.as_str().split_whitespace().collect::<Vec<_>>().join(" ").replace(" (", "(");
    let columns = [
        ("id", "bigint"),
        ("tags", "array(varchar)"),
        ("items", "array(row(sku varchar, qty integer))"),
        ("address", "row(city varchar, zip varchar)"),
    ];
    let catalog =
        Catalog { tables: vec![typed_table("purchase", &columns, &["id"], &[])], ..shop_catalog(Dialect::Trino) };
    let (profile, facts) = (Profile::default(), QuestionFacts::default());
    for (sql, wanted) in [
        (
            "SELECT id FROM purchase WHERE tags = 'gift'",
            "SELECT id FROM purchase WHERE contains(purchase.tags, 'gift')",
        ),
        (
            "SELECT id FROM purchase WHERE tags LIKE '%we%'",
            "SELECT id FROM purchase WHERE any_match(purchase.tags, tag -> tag LIKE '%we%')",
        ),
        (
            "SELECT id FROM purchase WHERE items.sku = 'b'",
            "SELECT id FROM purchase WHERE any_match(purchase.items, item -> item.sku = 'b')",
        ),
        (
            "SELECT SUM(items.qty) FROM purchase",
            "SELECT SUM(item.qty) FROM purchase CROSS JOIN UNNEST(purchase.items) AS item(sku, qty)",
        ),
    ] {
        let parsed = ReadOnlySql::parse(sql, Dialect::Trino).unwrap();
        let changed = repair_refused(&parsed, &rule_input(&catalog, &profile, &facts));
        assert_eq!(changed.map(|changed| one_line(&changed.sql)).as_deref(), Some(wanted), "{sql}");
    }
    // A field that is named alone belongs to its ROW.
    let repaired = with_repaired_names("SELECT city, COUNT(*) FROM purchase GROUP BY city", &catalog);
    assert!(repaired.as_deref().is_some_and(|sql| sql.contains("address.city")), "{repaired:?}");
}

fn sales_catalog(dialect: Dialect) -> Catalog {
    let columns = [("id", "INTEGER"), ("channel", "TEXT"), ("year", "INTEGER"), ("total", "REAL")];
    Catalog { tables: vec![typed_table("sales", &columns, &["id"], &[])], ..shop_catalog(dialect) }
}

/// Returns the variant of one rule on one line, or the original query if the rule has none.
fn variant_sql(sql: &str, rule: &str) -> String {
    let catalog = sales_catalog(Dialect::Duckdb);
    let (profile, facts) = (Profile::default(), QuestionFacts::default());
    let parsed = ReadOnlySql::parse(sql, Dialect::Duckdb).unwrap();
    let made = find_variants(&parsed, &rule_input(&catalog, &profile, &facts))
        .into_iter()
        .find(|variant| variant.rule == rule);
    let text = made.map_or(sql.to_owned(), |variant| variant.sql.as_str().to_owned());
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(").replace(" )", ")")
}

#[test]
fn a_share_of_what_where_has_picked_becomes_one_of_all() {
    for (sql, all) in [
        (
            "SELECT SUM(CASE WHEN channel = 'web' THEN total END) * 100 / SUM(total) FROM sales WHERE channel = 'web' AND year = 2023",
            "SELECT SUM(CASE WHEN channel = 'web' THEN total END) * 100 / SUM(total) FROM sales WHERE year = 2023",
        ),
        (
            "SELECT AVG(CASE WHEN s.channel = 'web' THEN 1.0 ELSE 0 END) AS share FROM sales AS s WHERE channel = 'web'",
            "SELECT AVG(CASE WHEN s.channel = 'web' THEN 1.0 ELSE 0 END) AS share FROM sales AS s",
        ),
        (
            "SELECT SUM(CASE WHEN year = 2023 THEN total END) - SUM(CASE WHEN year = 2022 THEN total END) FROM sales WHERE year = 2023",
            "SELECT SUM(CASE WHEN year = 2023 THEN total END) - SUM(CASE WHEN year = 2022 THEN total END) FROM sales",
        ),
    ] {
        assert_eq!(variant_sql(sql, "R018"), all);
    }
    for sql in [
        // A column besides the share needs the condition in WHERE.
        "SELECT SUM(total), SUM(CASE WHEN channel = 'web' THEN total END) / SUM(total) FROM sales WHERE channel = 'web'",
        // The other side would be all years.
        "SELECT SUM(CASE WHEN year = 2022 THEN total END) - SUM(total) FROM sales WHERE year = 2023",
        // Each group would have one side of it.
        "SELECT SUM(CASE WHEN channel = 'web' THEN total END) / SUM(total) FROM sales WHERE channel = 'web' GROUP BY channel",
        "SELECT SUM(CASE WHEN channel = 'web' THEN total END) / SUM(total) FROM sales WHERE year = 2023",
    ] {
        assert_eq!(variant_sql(sql, "R018"), sql);
    }
}

#[test]
fn a_difference_of_the_same_becomes_one_of_the_two_values() {
    let years = "SELECT SUM(CASE WHEN year = 2023 THEN total ELSE 0 END) - SUM(CASE WHEN year = 2022 THEN total ELSE 0 END) FROM \
                 sales WHERE channel = 'web' AND year IN (2023, 2022)";
    for picked in [
        "year IN (2023, 2022)",
        "(year = 2023 OR year = 2022)",
        "year = 2023 AND sales.year = 2022",
        "year = 2023 - year = 2022",
    ] {
        let sql = format!("SELECT SUM(total) - SUM(total) FROM sales WHERE channel = 'web' AND {picked}");
        assert_eq!(variant_sql(&sql, "R019"), years, "{picked}");
    }
    assert_eq!(
        variant_sql("SELECT COUNT(*) * 1.0 / COUNT(*) AS ratio FROM sales WHERE channel IN ('web', 'phone')", "R019"),
        "SELECT COUNT(CASE WHEN channel = 'web' THEN 1 END) * 1.0 / COUNT(CASE WHEN channel = 'phone' THEN 1 END) AS ratio FROM \
         sales WHERE channel IN ('web', 'phone')"
    );
    for sql in [
        "SELECT SUM(total) - SUM(total) FROM sales WHERE year = 2023",
        "SELECT SUM(total) - SUM(total) FROM sales WHERE year IN (2023, 2022, 2021)",
        "SELECT SUM(total) - SUM(total) FROM sales WHERE year NOT IN (2023, 2022)",
        "SELECT MAX(total) - MIN(total) FROM sales WHERE year IN (2023, 2022)",
        "SELECT SUM(total), SUM(total) - SUM(total) FROM sales WHERE year IN (2023, 2022)",
    ] {
        assert_eq!(variant_sql(sql, "R019"), sql);
    }
}

#[test]
fn a_count_of_a_groups_key_becomes_one_of_its_rows_or_of_the_groups() {
    for (sql, counted) in [
        (
            "SELECT channel, COUNT(DISTINCT sales.channel) AS n FROM sales GROUP BY channel ORDER BY n",
            "SELECT channel, COUNT(*) AS n FROM sales GROUP BY channel ORDER BY n",
        ),
        (
            "SELECT COUNT(DISTINCT channel) FROM sales GROUP BY channel HAVING SUM(total) > 3",
            "SELECT COUNT(*) FROM (SELECT channel FROM sales GROUP BY channel HAVING SUM(total) > 3) AS each_group",
        ),
        ("SELECT COUNT(DISTINCT channel) FROM sales GROUP BY channel", "SELECT COUNT(DISTINCT channel) FROM sales"),
        // A part of a sum is not a count of groups.
        (
            "SELECT SUM(total) / COUNT(DISTINCT channel) FROM sales GROUP BY channel HAVING SUM(total) > 3",
            "SELECT SUM(total) / COUNT(*) FROM sales GROUP BY channel HAVING SUM(total) > 3",
        ),
    ] {
        assert_eq!(variant_sql(sql, "R020"), counted);
    }
    for sql in [
        "SELECT year, COUNT(DISTINCT channel) FROM sales GROUP BY year",
        "SELECT channel, COUNT(*) FROM sales GROUP BY channel",
        "SELECT COUNT(DISTINCT channel) FROM sales GROUP BY channel, year HAVING SUM(total) > 3",
    ] {
        assert_eq!(variant_sql(sql, "R020"), sql);
    }
}
