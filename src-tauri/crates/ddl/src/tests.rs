use super::*;

fn parse_tables(sql: &str, dialect: Dialect) -> Vec<Table> {
    parse(sql, dialect).expect(sql)
}

#[test]
fn a_sqlite_table_keeps_types_keys_and_references() {
    let tables = parse_tables(
        "CREATE TABLE IF NOT EXISTS \"orders\" (\n\"id\" INTEGER PRIMARY KEY AUTOINCREMENT, -- the key\n`customer id` INT NOT NULL,\n\
         total DECIMAL(10, 2) DEFAULT (1 + 2), note, key TEXT,\n\
         CONSTRAINT fk FOREIGN KEY (`customer id`) REFERENCES customers(id) ON DELETE CASCADE,\nUNIQUE (note), CHECK (total > 0)\n) STRICT;",
        Dialect::Sqlite,
    );
    let t = &tables[0];
    let columns: Vec<_> = t.columns.iter().map(|c| (c.name.as_str(), c.data_type.as_str(), c.nullable)).collect();
    assert_eq!(
        columns,
        [
            ("id", "INTEGER", false),
            ("customer id", "INT", false),
            ("total", "DECIMAL(10,2)", true),
            ("note", "", true),
            ("key", "TEXT", true)
        ]
    );
    assert_eq!(t.primary_key, ["id"]);
    assert_eq!(t.foreign_keys[0].columns, ["customer id"]);
    assert_eq!(
        (t.foreign_keys[0].ref_table.to_string(), t.foreign_keys[0].ref_columns.join(",")),
        ("customers".into(), "id".into())
    );
}

#[test]
fn a_postgres_dump_says_its_keys_later() {
    let tables = parse_tables(
        "SET x = 1;\nCREATE TABLE public.Film (\n film_id integer DEFAULT nextval('s'::regclass) NOT NULL,\n title character varying(255),\n\
         last_update timestamp with time zone DEFAULT now() NOT NULL, tags text[]\n);\nCOPY public.film (film_id) FROM stdin;\n1; '\n\\.\n\
         CREATE TABLE public.actor (actor_id integer REFERENCES film);\n\
         ALTER TABLE ONLY public.film\n    ADD CONSTRAINT film_pkey PRIMARY KEY (film_id);\n\
         ALTER TABLE ONLY public.actor ADD CONSTRAINT a FOREIGN KEY (actor_id) REFERENCES public.film(film_id) ON UPDATE CASCADE;\n\
         COMMENT ON TABLE public.film IS 'It''s a film';\nCOMMENT ON COLUMN public.film.title IS 'its title';\n\
         CREATE VIEW public.titles AS SELECT film.title AS t, count(*) AS n FROM public.film GROUP BY film.title;",
        Dialect::Postgres,
    );
    assert_eq!(tables.iter().map(|t| t.name.to_string()).collect::<Vec<_>>(), ["film", "actor", "titles"]);
    let film = &tables[0];
    assert_eq!(film.primary_key, ["film_id"]);
    assert_eq!(film.comment.as_deref(), Some("It's a film"));
    assert_eq!(film.columns[1].comment.as_deref(), Some("its title"));
    assert_eq!(
        (film.columns[2].data_type.as_str(), film.columns[3].data_type.as_str()),
        ("timestamp with time zone", "text[]")
    );
    assert_eq!(tables[1].foreign_keys.len(), 2);
    assert_eq!((tables[2].kind, tables[2].columns[0].name.as_str()), (TableKind::View, "t"));
    assert_eq!(tables[2].columns[0].data_type, "character varying(255)");
    let defined = "SELECT film.title AS t, count(*) AS n FROM public.film GROUP BY film.title";
    assert_eq!((tables[2].definition.as_deref(), film.definition.as_deref()), (Some(defined), None));
}

#[test]
fn a_view_keeps_its_definition_with_columns_of_its_own_and_where_nobody_can_read_it() {
    let tables = parse_tables(
        "CREATE TABLE film (id INT, title TEXT);
         CREATE VIEW titles (t) AS /* all */ SELECT title FROM film -- no more
         ;
         CREATE OR REPLACE VIEW oddly (a, b) AS SELECT id, title FROM film MATCH_NOTHING BY ODD RULES;",
        Dialect::Sqlite,
    );
    let defined: Vec<(&str, Option<&str>, usize)> =
        tables.iter().map(|t| (t.name.name.as_str(), t.definition.as_deref(), t.columns.len())).collect();
    assert_eq!(
        defined,
        [
            ("film", None, 2),
            ("titles", Some("SELECT title FROM film -- no more"), 1),
            ("oddly", Some("SELECT id, title FROM film MATCH_NOTHING BY ODD RULES"), 2),
        ]
    );
}

#[test]
fn snowflake_and_bigquery_write_comments_their_way() {
    let tables = parse_tables(
        "create or replace TRANSIENT TABLE DB.PUBLIC.T (\n\tid NUMBER(38,0) NOT NULL COMMENT 'the id',\n\t\"mixed Case\" VARIANT,\n\tprimary key (id)\n)COMMENT='all of it'\n;",
        Dialect::Snowflake,
    );
    assert_eq!(tables[0].name.to_string(), "DB.PUBLIC.T");
    assert_eq!(tables[0].comment.as_deref(), Some("all of it"));
    assert_eq!(tables[0].columns[0].name, "ID");
    assert_eq!(tables[0].columns[1].name, "mixed Case");
    assert_eq!(tables[0].primary_key, ["ID"]);
    let tables = parse_tables(
        "CREATE TABLE `my-project.ds.events`\n(\n  a STRING OPTIONS(description=\"the \\\"a\\\"\"),\n  nested ARRAY<STRUCT<k STRING, v STRUCT<i INT64>>>,\n  c INT64 NOT NULL\n)\nPARTITION BY DATE(a)\nOPTIONS(expiration=3, description=\"events\");",
        Dialect::Bigquery,
    );
    assert_eq!(tables[0].name.to_string(), "my-project.ds.events");
    assert_eq!(tables[0].columns[0].comment.as_deref(), Some("the \"a\""));
    assert_eq!(tables[0].columns[1].data_type, "ARRAY<STRUCT<k STRING, v STRUCT<i INT64>>>");
    assert_eq!((tables[0].columns.len(), tables[0].comment.as_deref()), (3, Some("events")));
}

#[test]
fn odd_names_are_read() {
    let tables = parse_tables(
        "CREATE TABLE t (constraint STRUCT<a INT64>, 14_DAY_RATE FLOAT64, unique STRING, CONSTRAINT k PRIMARY KEY (unique))",
        Dialect::Bigquery,
    );
    assert_eq!(
        tables[0].columns.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(),
        ["constraint", "14_DAY_RATE", "unique"]
    );
    assert_eq!(tables[0].primary_key, ["unique"]);
}

#[test]
fn text_without_tables_is_an_error() {
    assert_eq!(parse("  ", Dialect::Sqlite), Err(SqlRejection::Empty));
    assert!(matches!(parse("SELECT 1;", Dialect::Sqlite), Err(SqlRejection::Syntax { .. })));
    assert!(matches!(parse("CREATE TABLE t (a INT", Dialect::Sqlite), Err(SqlRejection::Syntax { .. })));
    assert!(matches!(parse("CREATE TABLE t (", Dialect::Sqlite), Err(SqlRejection::Syntax { .. })));
}

#[test]
fn what_is_unique_is_said_at_the_column_at_the_table_or_later() {
    let tables = parse_tables(
        "CREATE TABLE person (id INT PRIMARY KEY, mail TEXT UNIQUE, nick TEXT, area INT, nr INT, UNIQUE (area, nr), code TEXT, half TEXT);
         ALTER TABLE ONLY person ADD CONSTRAINT one_nick UNIQUE (nick);
         CREATE UNIQUE INDEX by_code ON person USING btree (code);
         CREATE UNIQUE INDEX by_letter ON person (lower(half));
         CREATE UNIQUE INDEX by_part ON person (half) WHERE area = 1;
         CREATE INDEX not_unique ON person (half);",
        Dialect::Postgres,
    );
    assert_eq!(tables[0].unique_keys, [vec!["mail"], vec!["area", "nr"], vec!["nick"], vec!["code"]]);
    assert_eq!(tables[0].primary_key, ["id"]);
}
