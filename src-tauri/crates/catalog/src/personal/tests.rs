use super::*;
use vitrine_domain::{Table, TableKind, TableName, TableProfile};

fn make_column(name: &str, data_type: &str) -> Column {
    Column { name: name.to_owned(), data_type: data_type.to_owned(), nullable: true, comment: None }
}

fn make_table(name: &str, columns: &[(&str, &str)]) -> Table {
    Table {
        name: TableName::from_unqualified(name),
        kind: TableKind::Table,
        comment: None,
        row_count: None,
        columns: columns.iter().map(|(name, data_type)| make_column(name, data_type)).collect(),
        primary_key: Vec::new(),
        unique_keys: Vec::new(),
        foreign_keys: Vec::new(),
        definition: None,
    }
}

fn make_catalog(tables: Vec<Table>) -> Catalog {
    Catalog {
        database: "shop".to_owned(),
        dialect: Dialect::Sqlite,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: String::new(),
        tables,
    }
}

fn list_masked_columns(catalog: &Catalog, profile: &Profile, policy: &EgressPolicy) -> Vec<String> {
    let columns = personal_columns(catalog, profile, policy);
    columns
        .iter()
        .filter(|c| c.masked)
        .map(|c| format!("{}.{} {}", c.table, c.column, c.kind.display_title()))
        .collect()
}

#[test]
fn passwords_and_access_keys_are_masked() {
    for name in
        ["password", "PasswordHash", "user_pwd", "Passwort", "mot_de_passe", "contraseña", "api_key", "refreshToken"]
    {
        let one = make_catalog(vec![make_table("staff", &[(name, "TEXT")])]);
        let masked = list_masked_columns(&one, &Profile::default(), &EgressPolicy::default());
        assert_eq!(masked, [format!("staff.{name} password or key")]);
    }
    // Counts, times and other keys are not secret.
    for (name, data_type) in [
        ("password_changed_at", "TIMESTAMP"),
        ("token_count", "INTEGER"),
        ("token", "TEXT"),
        ("primary_key", "TEXT"),
        ("secretary", "TEXT"),
        ("salt_content", "REAL"),
        ("pass_type", "TEXT"),
    ] {
        let one = make_catalog(vec![make_table("product", &[(name, data_type)])]);
        assert_eq!(
            list_masked_columns(&one, &Profile::default(), &EgressPolicy::default()),
            Vec::<String>::new(),
            "{name}"
        );
    }
}

#[test]
fn columns_are_found_by_their_names_in_several_languages() {
    let people = [
        ("customers", "name"),
        ("orders", "customer_name"),
        ("hr", "Vorname"),
        ("t", "date_of_birth"),
        ("t", "GeburtsDatum"),
        ("t", "fecha_nacimiento"),
        ("t", "correo_electronico"),
        ("t", "mobileNumber"),
        ("t", "codice_fiscale"),
        ("t", "home_address"),
        ("t", "Straße"),
        ("t", "фамилия"),
        ("t", "姓名"),
    ];
    for (of, name) in people {
        let one = make_catalog(vec![make_table(of, &[(name, "TEXT")])]);
        assert_eq!(list_masked_columns(&one, &Profile::default(), &EgressPolicy::default()).len(), 1, "{of}.{name}");
    }
}

#[test]
fn names_of_things_are_not_personal() {
    let things = [
        ("products", "name", "TEXT"),
        ("customers", "company_name", "TEXT"),
        ("customers", "city", "TEXT"),
        ("customers", "country", "TEXT"),
        ("customers", "customer_id", "INTEGER"),
        ("customers", "address_id", "INTEGER"),
        ("customers", "created_at", "TIMESTAMP"),
        ("servers", "ip_address", "TEXT"),
        ("files", "file_name", "TEXT"),
        ("stores", "name", "TEXT"),
        ("orders", "status", "TEXT"),
        ("orders", "phone_type", "TEXT"),
        ("employees", "salary", "NUMERIC"),
        ("users", "user_count", "INTEGER"),
    ];
    for (of, name, data_type) in things {
        let one = make_catalog(vec![make_table(of, &[(name, data_type)])]);
        assert_eq!(
            list_masked_columns(&one, &Profile::default(), &EgressPolicy::default()),
            [] as [&str; 0],
            "{of}.{name}"
        );
    }
}

#[test]
fn columns_are_found_by_their_values_whatever_they_are_called() {
    let values = [
        ("c1", ["ann@example.org", "bo.li@mail.example.com"], PersonalKind::Email),
        ("c2", ["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432"], PersonalKind::BankAccount),
        ("c3", ["+49 30 1234567", "+1 (212) 555-0100"], PersonalKind::Phone),
    ];
    for (name, samples, kind) in values {
        let one = make_catalog(vec![make_table("t", &[(name, "TEXT")])]);
        let column =
            ColumnProfile { name: name.into(), samples: samples.map(str::to_owned).to_vec(), ..Default::default() };
        let tables = vec![TableProfile {
            table: TableName::from_unqualified("t"),
            row_count: Some(2),
            profiled_rows: 2,
            columns: vec![column],
        }];
        let profile = Profile { tables, ..Profile::default() };
        let columns = personal_columns(&one, &profile, &EgressPolicy::default());
        assert_eq!(columns.iter().map(|c| c.kind).collect::<Vec<_>>(), [kind], "{name}");
    }
    for thing in ["2024-01-31", "DE89370400440532013001", "12345678", "user@host", "3.14", "(none)", "SKU-1000-22"] {
        assert_eq!(looks_personal(thing), None, "{thing}");
    }
    assert!(is_card("4111 1111 1111 1111") && !is_card("4111 1111 1111 1112") && !is_card("2024010112"));
}

#[test]
fn the_user_has_the_last_word() {
    let shop = make_catalog(vec![make_table("customers", &[("name", "TEXT"), ("email", "TEXT"), ("tier", "TEXT")])]);
    let policy = EgressPolicy {
        allowed: vec!["customers.NAME".to_owned()],
        masked: vec!["customers.tier".to_owned()],
        ..EgressPolicy::default()
    };
    let masked = list_masked_columns(&shop, &Profile::default(), &policy);
    assert_eq!(masked, ["customers.email e-mail address", "customers.tier chosen by you"]);
    // Columns that the user has marked stay masked when all others are not.
    let policy = EgressPolicy { mask_personal: false, ..policy };
    assert_eq!(list_masked_columns(&shop, &Profile::default(), &policy), ["customers.tier chosen by you"]);
}

#[test]
fn a_view_shows_masked_columns_masked_whatever_it_calls_them() {
    let view = |name: &str, columns: &[(&str, &str)], definition: Option<&str>| Table {
        kind: TableKind::View,
        definition: definition.map(str::to_owned),
        ..make_table(name, columns)
    };
    let text = ("a", "TEXT");
    let tables = vec![
        make_table("pay", &[("id", "INTEGER"), ("salary", "INTEGER"), ("region", "TEXT")]),
        view("v1", &[text, ("b", "INTEGER")], Some("SELECT region AS a, salary * 2 AS b FROM pay")),
        view("v2", &[("c", "INTEGER")], Some("SELECT max(b) AS c FROM v1")),
        view("v3", &[("n", "INTEGER"), text], Some("SELECT count(salary) AS n, region AS a FROM pay GROUP BY region")),
        view("v4", &[text], Some("SELECT something nobody reads FROM (pay")),
        view("v5", &[text], None),
        view("v6", &[text], Some("SELECT 1 AS a")),
    ];
    let policy = EgressPolicy { masked: vec!["pay.salary".to_owned()], ..EgressPolicy::default() };
    let names = |policy: &EgressPolicy| -> Vec<String> {
        let columns = personal_columns(&make_catalog(tables.clone()), &Profile::default(), policy);
        columns.iter().filter(|c| c.masked).map(|c| format!("{}.{}", c.table, c.column)).collect()
    };
    assert_eq!(names(&policy), ["pay.salary", "v1.b", "v4.a", "v5.a", "v2.c"]);
    let allowed = EgressPolicy { allowed: vec!["v1.b".to_owned()], ..policy };
    assert_eq!(names(&allowed), ["pay.salary", "v4.a", "v5.a"]);
    assert!(names(&EgressPolicy::default()).is_empty());
}
