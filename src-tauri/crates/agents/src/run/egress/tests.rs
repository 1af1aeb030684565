use super::*;
use proptest::prelude::*;
use vitrine_domain::{Column, Dialect, Table, TableKind, TableName, TableProfile};

fn egress(level: EgressLevel, masked: &[(&str, &str)]) -> Egress {
    Egress {
        policy: Some(EgressPolicy { level, ..EgressPolicy::default() }),
        masked: masked.iter().map(|(t, c)| (((*t).to_owned(), (*c).to_owned()), PersonalKind::Email)).collect(),
        names: ["people", "email", "age", "id"].map(str::to_owned).into(),
        ledger: Ledger::default(),
    }
}

fn people() -> Catalog {
    let column = |(name, data_type): (&str, &str)| Column {
        name: name.to_owned(),
        data_type: data_type.to_owned(),
        nullable: true,
        comment: None,
    };
    let table = Table {
        name: TableName::bare("people"),
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

fn marked(sql: &str, columns: &[(&str, CellType)]) -> Vec<bool> {
    let columns = columns.iter().map(|(name, cell_type)| ResultColumn::new(*name, *cell_type)).collect();
    let mut page = Page { columns, ..Page::default() };
    let sql = ReadOnlySql::parse(sql, Dialect::Sqlite).expect("a query");
    egress(EgressLevel::Results, &[("people", "email")]).mark(&mut page, &sql, &people());
    page.columns.iter().map(|column| column.masked).collect()
}

#[test]
fn a_masked_column_stays_masked_under_another_name_and_inside_of_queries() {
    let (text, number) = (CellType::Text, CellType::Integer);
    assert_eq!(marked("SELECT email AS x, age FROM people", &[("x", text), ("age", number)]), [true, false]);
    let inside = "WITH a AS (SELECT lower(email) AS e, id FROM people) SELECT e || '!' AS f, id FROM a";
    assert_eq!(marked(inside, &[("f", text), ("id", number)]), [true, false]);
    assert_eq!(
        marked("SELECT * FROM people", &[("id", number), ("email", text), ("age", number)]),
        [false, true, false]
    );
    assert_eq!(marked("SELECT max(email) FROM people", &[("m", text)]), [true]);
    // How many there are names nobody.
    assert_eq!(marked("SELECT count(email) AS n FROM people", &[("n", number)]), [false]);
    assert_eq!(marked("SELECT age FROM people WHERE email LIKE 'a%'", &[("age", number)]), [false]);
    // A number made of digits in a text is these digits.
    let mut page = Page { columns: vec![ResultColumn::new("n", number)], ..Page::default() };
    let sql = ReadOnlySql::parse("SELECT CAST(email AS INTEGER) AS n FROM people", Dialect::Sqlite).expect("a query");
    for (kind, masked) in [(PersonalKind::Email, false), (PersonalKind::Phone, true), (PersonalKind::Chosen, true)] {
        let masks = [(("people".to_owned(), "email".to_owned()), kind)].into();
        Egress { masked: masks, ..egress(EgressLevel::Results, &[]) }.mark(&mut page, &sql, &people());
        assert_eq!(page.columns[0].masked, masked, "{kind:?}");
    }
    // What cannot be followed is masked.
    assert_eq!(marked("SELECT x FROM elsewhere", &[("x", text)]), [true]);
}

#[test]
fn rows_are_shown_by_level() {
    let mut name = ResultColumn::new("name", CellType::Text);
    name.masked = true;
    let columns = vec![name, ResultColumn::new("note", CellType::Text), ResultColumn::new("n", CellType::Integer)];
    let row = ["Ann", "ann@example.org", "7"].map(|cell| Some(cell.to_owned())).to_vec();
    let page = Page { columns, rows: vec![row, vec![None; 3]], row_count: 2, truncated: false };
    let shown = |egress: &Egress| -> Vec<String> {
        egress.shown(&page).rows.iter().flatten().map(|cell| cell.clone().unwrap_or("-".into())).collect()
    };
    assert_eq!(shown(&egress(EgressLevel::Results, &[])), ["[masked]", "[masked]", "7", "-", "-", "-"]);
    assert_eq!(shown(&egress(EgressLevel::Samples, &[])), ["[text]", "[text]", "[number]", "-", "-", "-"]);
    assert_eq!(shown(&Egress::default()), ["Ann", "ann@example.org", "7", "-", "-", "-"]);
    let policy = Some(EgressPolicy::everything());
    page.columns.iter().for_each(|column| assert!(column.masked == (column.name == "name")));
    assert_eq!(shown(&Egress { policy, ..Egress::default() })[1], "ann@example.org");
}

#[test]
fn an_error_keeps_names_and_loses_values() {
    let sql = "SELECT CAST(email AS INTEGER) FROM people WHERE age > 30";
    let told = |error: &str| egress(EgressLevel::Samples, &[]).error(error.to_owned(), sql);
    for (error, kept) in [
        ("invalid input syntax for type integer: \"Ann's 4711\"", "invalid input syntax for type integer: [a value]"),
        ("column \"email\" does not exist", "column \"email\" does not exist"),
        ("no such column: people.agee", "no such column: people.agee"),
        ("value 4711 is out of range for age > 30", "value [a number] is out of range for age > 30"),
        ("Could not convert string '12.5 kg' to INT32", "Could not convert string [a value] to INT32"),
        // A part of a word of the query is no word of it.
        ("Could not convert string 'mail' to INT32", "Could not convert string [a value] to INT32"),
        ("don't know it", "don't know it"),
        ("", ""),
    ] {
        assert_eq!(told(error), kept);
    }
    let error = "invalid input: 'Ann'";
    assert_eq!(egress(EgressLevel::Results, &[]).error(error.to_owned(), sql), error);
    assert_ne!(egress(EgressLevel::Results, &[("people", "email")]).error(error.to_owned(), sql), error);
    assert_eq!(Egress::default().error(error.to_owned(), sql), error);
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
        table: TableName::bare("people"),
        row_count: Some(9),
        profiled_rows: 9,
        columns: vec![column("email"), column("age")],
    };
    let profile = Profile { tables: vec![table], ..Profile::default() };
    let told = egress(EgressLevel::Profile, &[]).profile(&profile);
    assert!(told.tables[0].columns.iter().all(|c| c.distinct == 12 && !format!("{c:?}").contains("\"a\"")));
    assert!(!format!("{told:?}").contains("inside"));
    let told = egress(EgressLevel::Samples, &[("people", "email")]).profile(&profile);
    assert!(told.tables[0].columns[0].samples.is_empty() && told.tables[0].columns[1] == column("age"));
}

proptest! {
    /// Whatever a database says, no part of a quoted value of its own gets through.
    #[test]
    fn no_quoted_value_gets_through(before in "[a-z ]{0,20} ", value in "[A-Za-z0-9 ]{4,20}", quote in "['\"`]") {
        let error = format!("{before}{quote}#{value}{quote} at the end");
        prop_assert!(!without_values_of(&error, |_| false).contains(value.trim()));
    }
}
