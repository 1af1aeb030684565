use super::*;
use crate::engines::engines;

fn engine_of(address: &str) -> &'static EngineInfo {
    WarehouseUri::find_engine(address).unwrap_or_else(|| panic!("{address}"))
}

/// Reads an address into its form and writes it again.
fn rewrite_address(address: &str) -> Option<String> {
    let typed = TypedAddress::parse(address);
    typed.values.map(|values| engine_of(address).write_address(&values).unwrap())
}

fn values(pairs: &[(&str, &str)]) -> FormValues {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn an_address_is_the_same_after_its_form_as_before() {
    for address in [
        "postgresql://ann@db.example:6000/shop",
        "postgresql://db.example/shop",
        "postgresql://ann@db.example/shop?sslmode=verify-full",
        "postgresql://ann@db.example/shop?sslmode=require&application_name=x%20y",
        "postgresql://a%40b@[::1]:5432/my%20shop",
        "mysql://ann@db.example:3307/shop",
        "mysql://ann@db.example/shop?ssl-mode=VERIFY_IDENTITY",
        "postgresql://ann@localhost/shop?sslmode=require&ssh=bob@bastion.example:2222&application_name=x",
        "mysql://ann@10.0.0.5:3307/shop?ssh=office",
        "mysql://ann@10.0.0.5:3307/shop?ssh=office&ssh_key=/home/ann/.ssh/my%20key",
        "clickhouse://ann@db.example/shop",
        "clickhouse://ann@db.example:8123/shop",
        "clickhouse://ann@db.example:9999/shop?sslmode=disable",
        "clickhouse://ann@localhost:8123/shop",
        "clickhouse://localhost:8443/shop?sslmode=require",
        "postgresql://ann@localhost/shop?ssh=bob@[::1]:22",
        "snowflake://ann@org-acc/SHOP",
        "snowflake://ann%40example.com@org-acc/SHOP/PUBLIC?warehouse=WH&role=READER",
        "snowflake://ann@org-acc/SHOP/my%20schema?authenticator=externalbrowser",
        "snowflake://ann@org-acc/SHOP/PUBLIC?warehouse=WH&private_key_file=/home/ann/key.p8",
        "snowflake://ann@org-acc/SHOP?authenticator=programmatic_access_token&endpoint=http://localhost:1",
        "bigquery://my-project/sales?location=EU&maximum_bytes_billed=1000000000",
        "bigquery://example.com:my-project?billing_project=pays&key_file=/home/you/key.json",
        "databricks://h.example/abc1/main",
        "databricks://client@h.example/abc1/main/my%20schema",
        "motherduck://us-east-1/sample_data",
        "motherduck://eu-central-1/my%20data",
        "motherduck://pg.other.motherduck.com/d",
        "motherduck://127.0.0.1:7/d",
        "adbc:mssql?uri=mssql://sql.example:1433?database=sales",
        "adbc:mine?dialect=trino&uri=https://trino.example&http.timeout=30",
        "adbc:postgresql?dialect=duckdb&uri=postgresql://db",
        "adbc:sqlite?uri=/data/my+größe%2B%23%2525.db&mode=a=b%26c",
        "sqlite:/data/a.db",
        "duckdb:C:\\data\\x.duckdb",
    ] {
        assert_eq!(rewrite_address(address).as_deref(), Some(address));
    }
    let plain = TypedAddress::parse("postgres://ann@db/shop?sslmode=prefer");
    let wanted = values(&[("host", "db"), ("database", "shop"), ("user", "ann"), ("protection", "prefer")]);
    assert_eq!(plain.values, Some(wanted));
    let through = TypedAddress::parse("postgresql://ann@db/shop?ssh=bob%40bastion&sslmode=require").values.unwrap();
    assert_eq!((through["ssh"].as_str(), through["protection"].as_str()), ("bob@bastion", "require"));
}

#[test]
fn an_address_has_no_form_where_its_fields_would_say_something_else() {
    for address in [
        "postgresql://ann@a,b:2/shop",
        "postgresql://ann@db/shop?host=evil.example",
        "postgresql://ann@db/shop?hostaddr=6.6.6.6",
        "postgresql://db/shop?user=ann",
        "mysql://ann@db/shop?ssl-mode=SOMETHING",
        "clickhouse://ann@db/shop?secure=true",
        "clickhouse://ann@db/shop?sslmode=prefer",
        "mysql://ann@db/shop?socket=/run/mysqld.sock",
        "postgresql://db/shop?sslmode=verify-ca",
        "postgresql://[::1/shop",
    ] {
        assert_eq!(TypedAddress::parse(address).values, None, "{address}");
    }
    assert_eq!(TypedAddress::parse(" '/data/my file.csv' ").address, "/data/my file.csv");
    assert_eq!(TypedAddress::parse("/data/my file.csv").kind, None);
}

#[test]
fn a_password_is_split_off_a_typed_address() {
    for (typed, address, password) in [
        ("postgresql://ann:p%40s:s@db:5432/shop", "postgresql://ann@db:5432/shop", "p@s:s"),
        ("postgresql://ann:p@s:s@db:5432/shop", "postgresql://ann@db:5432/shop", "p@s:s"),
        ("mysql://ann:p%40s:s@db:3306/shop", "mysql://ann@db:3306/shop", "p@s:s"),
        ("postgres://ann:100%@db/shop", "postgres://ann@db/shop", "100%"),
        ("postgresql://ann@db:5432/shop", "postgresql://ann@db:5432/shop", ""),
        ("postgresql://db:5432/a@b", "postgresql://db:5432/a@b", ""),
        ("sqlite:/a:b@c.db", "sqlite:/a:b@c.db", ""),
        ("snowflake://ann:hidden@a/d", "snowflake://ann@a/d", "hidden"),
        ("adbc:mssql?uri=mssql%3A%2F%2Fann%3As%2540fe%40db", "adbc:mssql?uri=mssql://ann@db", "s@fe"),
        ("adbc:trino?username=ann&password=s%40fe", "adbc:trino?username=ann", "s@fe"),
        ("adbc:trino?uri=grpc%3A%2F%2Fdb%3A1", "adbc:trino?uri=grpc%3A%2F%2Fdb%3A1", ""),
        ("adbc:trino", "adbc:trino", ""),
    ] {
        let split = TypedAddress::parse(typed);
        assert_eq!((split.address.as_str(), split.password.as_str()), (address, password));
    }
}

#[test]
fn a_form_says_what_it_lacks() {
    let missing = |scheme: &str, pairs: &[(&str, &str)]| {
        engine_of(&format!("{scheme}:x")).write_address(&values(pairs)).unwrap_err()
    };
    assert_eq!(missing("postgresql", &[("database", "shop")]), "Enter a host.");
    let account = [("account", "org-acc"), ("user", "ann"), ("database", " ")];
    assert_eq!(missing("snowflake", &account), "Enter a database.");
    let key = [("account", "org-acc"), ("user", "ann"), ("database", "SHOP"), ("signIn", "key")];
    assert_eq!(missing("snowflake", &key), "Enter the key file.");
    assert_eq!(missing("bigquery", &[]), "Enter a project.");
    let workspace = [("host", "h"), ("warehouse", "/sql/1.0/warehouses/"), ("catalog", "main")];
    assert_eq!(missing("databricks", &workspace), "Enter a SQL warehouse.");
    assert_eq!(missing("motherduck", &[("region", "us-east-1"), ("database", "md:")]), "Enter a database.");
    assert_eq!(missing("adbc", &[]), "Choose a driver.");
    assert_eq!(missing("adbc", &[("driver", "trino")]), "Enter the driver's address.");
    let odd = [("driver", "trino"), ("options", "a=1\nhttp timeout")];
    assert_eq!(missing("adbc", &odd), "Enter each option as name=value: http timeout");
    assert_eq!(missing("sqlite", &[]), "Choose a file.");
}

#[test]
fn a_form_takes_what_products_show() {
    let databricks = engine_of("databricks://x");
    let pasted =
        values(&[("host", "https://h.example/"), ("warehouse", "/sql/1.0/warehouses/abc1"), ("catalog", "main")]);
    assert_eq!(databricks.write_address(&pasted).as_deref(), Ok("databricks://h.example/abc1/main"));
    let shown = "postgresql://postgres:hidden@pg.us-east-1-aws.motherduck.com:5432/md:sample_data?sslmode=verify-full&sslrootcert=system";
    let typed = TypedAddress::parse(shown);
    assert_eq!(typed.kind.map(|kind| kind.info().title), Some("MotherDuck"));
    assert_eq!(typed.values, Some(values(&[("region", "us-east-1"), ("database", "sample_data")])));
    assert_eq!(typed.password, "hidden");
    let sqlite = engine_of("sqlite:x");
    assert_eq!(sqlite.write_address(&values(&[("path", " \"/a b.db\" ")])).as_deref(), Ok("sqlite:/a b.db"));
    assert_eq!(sqlite.write_address(&values(&[("path", "duckdb:/x.duckdb")])).as_deref(), Ok("duckdb:/x.duckdb"));
}

#[test]
fn a_key_of_ssh_and_a_dialect_are_written_only_where_they_apply() {
    let postgres = engine_of("postgresql://x");
    let own = [("host", "db"), ("sshKey", "/keys/a")];
    assert_eq!(postgres.write_address(&values(&own)).as_deref(), Ok("postgresql://db/"));
    let through = [own[0], own[1], ("ssh", "office")];
    let wanted = "postgresql://db/?ssh=office&ssh_key=/keys/a";
    assert_eq!(postgres.write_address(&values(&through)).as_deref(), Ok(wanted));
    let adbc = engine_of("adbc:x");
    let with =
        |dialect: &str| adbc.write_address(&values(&[("driver", "sqlserver"), ("dialect", dialect), ("uri", "x")]));
    assert_eq!(with("trino").as_deref(), Ok("adbc:sqlserver?dialect=trino&uri=x"));
    assert_eq!(with("mssql").as_deref(), Ok("adbc:sqlserver?uri=x"));
}

#[test]
fn every_form_names_its_fields_once() {
    for engine in engines() {
        let mut names: Vec<&str> = engine.form.fields.iter().map(|field| field.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), engine.form.fields.len(), "{}", engine.title);
    }
}
