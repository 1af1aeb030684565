use super::*;

const SCRIPT: &str = r#"
-- a dump; with a semicolon in a comment
SET search_path = public;
CREATE TABLE public.film (
    film_id integer DEFAULT nextval('film_seq'::regclass) NOT NULL,
    title character varying(255) NOT NULL,
    price numeric(4,2) DEFAULT 4.99,
    "weird; name" text[],
    made timestamp with time zone DEFAULT now()
);
ALTER TABLE public.film OWNER TO postgres;
COPY public.film (film_id, title) FROM stdin;
1	CREATE TABLE fake (a int);
2	it's; odd
\.
CREATE FUNCTION f() RETURNS int AS $$ BEGIN; CREATE TABLE inside (a int); END; $$ LANGUAGE plpgsql;
CREATE TABLE public.rental (id integer NOT NULL, film_id integer REFERENCES public.film);
ALTER TABLE ONLY public.film ADD CONSTRAINT film_pkey PRIMARY KEY (film_id);
ALTER TABLE ONLY public.rental ADD CONSTRAINT fk FOREIGN KEY (film_id) REFERENCES public.film(film_id) ON DELETE CASCADE;
COMMENT ON TABLE public.film IS 'what''s shown';
COMMENT ON COLUMN public.film.title IS 'as on the poster';
INSERT INTO film VALUES (1, 'x; y');
"#;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

async fn catalog(path: &Path) -> Catalog {
    SchemaWarehouse::open(path).unwrap().load_catalog().await.unwrap()
}

#[tokio::test]
async fn a_dump_gives_tables_keys_and_comments_and_nothing_from_its_data() {
    let folder = folder(&[("dump.sql", SCRIPT)]);
    let catalog = catalog(&folder.path().join("dump.sql")).await;
    assert_eq!((catalog.database.as_str(), catalog.dialect), ("dump", Dialect::Postgres));
    let names: Vec<String> = catalog.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["film", "rental"]);
    let film = catalog.find_table("film").unwrap();
    let columns: Vec<&str> = film.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(columns, ["film_id", "title", "price", "weird; name", "made"]);
    assert_eq!((film.primary_key.clone(), film.comment.as_deref()), (vec!["film_id".to_owned()], Some("what's shown")));
    assert_eq!(film.find_column("title").unwrap().comment.as_deref(), Some("as on the poster"));
    assert!(film.find_column("made").unwrap().data_type.to_lowercase().contains("time zone"));
    assert!(!film.find_column("title").unwrap().nullable && film.find_column("price").unwrap().nullable);
    let key = &catalog.find_table("rental").unwrap().foreign_keys[0];
    assert_eq!((key.ref_table.to_string(), key.ref_columns.clone()), ("film".to_owned(), vec!["film_id".to_owned()]));
}

#[tokio::test]
async fn views_of_a_script_are_defined_as_those_of_a_database_are() {
    let folder = folder(&[(
        "shop.sql",
        "CREATE TABLE film (id INT, title TEXT);
         CREATE VIEW titles AS SELECT title AS t FROM film;
         CREATE VIEW listed (t) AS SELECT title FROM read_csv('/home/me/films.csv');",
    )]);
    let catalog = catalog(&folder.path().join("shop.sql")).await;
    let defined = |name: &str| catalog.find_table(name).expect("a table").definition.as_deref();
    assert_eq!(defined("titles"), Some("SELECT title AS t FROM film"));
    assert_eq!([defined("film"), defined("listed")], [None, None], "a table has none, and files are not told");
}

#[tokio::test]
async fn nothing_can_be_run_on_a_schema() {
    let folder = folder(&[("s.sql", "CREATE TABLE t (a int);")]);
    let warehouse = SchemaWarehouse::open(folder.path()).unwrap();
    let sql = ReadOnlySql::parse("SELECT a FROM t", warehouse.dialect()).unwrap();
    assert_eq!(warehouse.check_query(&sql).await.unwrap_err(), WarehouseError::SchemaOnly);
    assert_eq!(
        warehouse.run_query(&sql, Limits::default(), CancellationToken::new()).await.unwrap_err(),
        WarehouseError::SchemaOnly
    );
    let app = vitrine_domain::AppError::from(WarehouseError::SchemaOnly);
    assert!(app.message.contains("schema without data") && app.hint.unwrap().contains("sqlite:"));
}

const SNOW: &str = "table_name,description,DDL\n\
    USERS,Who plays,\"create or replace TABLE USERS (\n\t\"\"id\"\" VARCHAR(16777216),\n\t\"\"tags\"\" VARIANT,\n\tPAID NUMBER(38,2) COMMENT 'in euro'\n);\"\n\
    SHOP.PUBLIC.GONE,Only described,\n";

#[tokio::test]
async fn a_folder_of_definitions_names_database_and_schema() {
    let folder = folder(&[
        ("SHOP/PUBLIC/DDL.csv", SNOW),
        (
            "SHOP/PUBLIC/USERS.json",
            r#"{"table_name": "USERS", "table_fullname": "SHOP.PUBLIC.USERS", "column_names": ["id", "tags", "PAID"],
                "column_types": ["TEXT", "VARIANT", "NUMBER"], "description": ["who", null, ""], "sample_rows": [{"id": 1}]}"#,
        ),
        ("SHOP/PUBLIC/package.json", r#"{"name": "no table"}"#),
        ("OTHER/RAW/DDL.csv", "table_name,ddl\nT,\"create or replace TABLE T (A NUMBER(38,0))\"\n"),
    ]);
    let one = catalog(&folder.path().join("SHOP")).await;
    assert_eq!((one.database.as_str(), one.dialect), ("SHOP", Dialect::Snowflake));
    let names: Vec<String> = one.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["SHOP.PUBLIC.USERS", "SHOP.PUBLIC.GONE"]);
    let users = &one.tables[0];
    assert_eq!(users.comment.as_deref(), Some("Who plays"));
    let comments: Vec<Option<&str>> = users.columns.iter().map(|column| column.comment.as_deref()).collect();
    assert_eq!(comments, [Some("who"), None, Some("in euro")]);
    assert!(one.tables[1].columns.is_empty() && one.tables[1].comment.as_deref() == Some("Only described"));

    let all = catalog(folder.path()).await;
    assert_eq!(all.tables.len(), 3);
    assert!(all.find_table("OTHER.RAW.T").is_some());
    let uri = crate::WarehouseUri::parse(folder.path().to_str().unwrap()).unwrap();
    assert_eq!(uri.kind(), crate::WarehouseKind::Ddl);
}

#[tokio::test]
async fn definitions_of_other_dialects() {
    let big = "table_name,ddl\nt,\"CREATE TABLE `my-project.set1.t`\n(\n  Year DATE OPTIONS(description=\"\"the, year\"\"),\n  \
               hits ARRAY<STRUCT<page STRING, n INT64>>,\n  id STRING NOT NULL\n)\nOPTIONS(\n  description=\"\"hits\"\"\n);\"\n";
    let folder = folder(&[("set1/DDL.csv", big)]);
    let catalog = catalog(folder.path()).await;
    assert_eq!(catalog.dialect, Dialect::Bigquery);
    let table = &catalog.tables[0];
    assert_eq!(table.name.to_string(), "my-project.set1.t");
    let columns: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(columns, ["Year", "hits", "id"]);
    assert_eq!(table.columns[0].comment.as_deref(), Some("the, year"));
    assert!(table.columns[1].data_type.contains("STRUCT"));
}

#[test]
fn a_place_without_definitions_is_told() {
    let folder = folder(&[("notes.txt", "hello"), ("only.sql", "SELECT 1;")]);
    assert!(matches!(SchemaWarehouse::open(&folder.path().join("gone")), Err(WarehouseError::NotFound { .. })));
    let error = SchemaWarehouse::open(folder.path()).err().unwrap();
    assert!(
        matches!(error, WarehouseError::Empty { .. }) && error.hint().unwrap().contains("CREATE TABLE"),
        "{error:?}"
    );
}

#[tokio::test]
async fn databases_side_by_side_keep_their_tables_apart() {
    let list = "table_name,DDL\ncustomers,\"CREATE TABLE customers (id INTEGER PRIMARY KEY AUTOINCREMENT)\"\n";
    let folder = folder(&[("shop/DDL.csv", list), ("bank/DDL.csv", list)]);
    let all = catalog(folder.path()).await;
    let names: Vec<String> = all.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["bank.customers", "shop.customers"]);
    assert_eq!(catalog(&folder.path().join("shop")).await.tables[0].name.to_string(), "customers");
}
