//! Quoting identifiers.

use sqlparser::ast::{Ident, Value};
use std::collections::HashSet;
use std::sync::OnceLock;
use vitrine_domain::{Dialect, TableName};

/// Words that some dialect rejects as an unquoted name somewhere. Quoting one too many does no harm.
const RESERVED: &str = "abort add after all alter always analyse analyze and anti any array as asc asof asymmetric at \
attach authorization autoincrement before begin between bigint binary both by call cascade case cast check collate collation \
column columns commit concurrently conflict connect constraint contains create cross cube current current_catalog \
current_date current_role current_schema current_time current_timestamp current_user database default deferrable deferred \
delete desc describe detach distinct do drop each else end enum escape except exclude exclusive execute exists explain extract \
fail false fetch filter first following for foreign freeze from full function generated glob grant group grouping groups hash \
having if ignore ilike immediate in index indexed initially inner insert instead interpolate intersect interval into is isnull \
join key lambda last lateral leading left like limit localtime localtimestamp lookup map match materialized merge minus natural \
new no not nothing notnull null nulls of off offset old on only or order others outer over overlaps partition pivot placing \
plan positional pragma preceding primary proto qualify query raise range recursive references regexp reindex release rename \
replace respect restrict returning right rlike rollback rollup row rows savepoint sample select semi session_user set show \
similar some start struct symmetric table tablesample temp temporary then ties to trailing transaction treat trigger true \
try_cast unbounded union unique unnest unpivot update user using vacuum values variadic verbose view virtual when where window \
with within without";

fn reserved(word: &str) -> bool {
    static WORDS: OnceLock<HashSet<&'static str>> = OnceLock::new();
    WORDS.get_or_init(|| RESERVED.split_whitespace().collect()).contains(word.to_ascii_lowercase().as_str())
}

/// Words that MySQL or MariaDB reserve besides.
const RESERVED_IN_MYSQL: &str = "accessible asensitive blob change character condition continue convert cume_dist cursor \
databases day_hour day_microsecond day_minute day_second dec decimal declare delayed dense_rank deterministic distinctrow div \
double dual elseif empty enclosed escaped exit first_value float float4 float8 force fulltext get high_priority \
hour_microsecond hour_minute hour_second inout insensitive int int1 int2 int3 int4 int8 integer io_after_gtids io_before_gtids \
iterate json_table keys kill lag last_value lead leave linear lines load lock long longblob longtext loop low_priority \
master_bind master_ssl_verify_server_cert maxvalue mediumblob mediumint mediumtext middleint minute_microsecond minute_second \
mod modifies no_write_to_binlog nth_value ntile numeric offset optimize optimizer_costs option optionally out outfile \
percent_rank precision procedure purge rank read reads read_write real regexp repeat require resignal return revoke rlike \
row_number schema schemas second_microsecond sensitive separator set signal smallint spatial specific sql sql_big_result \
sql_calc_found_rows sql_small_result sqlexception sqlstate sqlwarning ssl starting stored straight_join system terminated \
tinyblob tinyint tinytext undo unlock unsigned usage use utc_date utc_time utc_timestamp varbinary varchar varcharacter while \
write xor year_month zerofill";

fn reserved_in_mysql(word: &str) -> bool {
    static WORDS: OnceLock<HashSet<&'static str>> = OnceLock::new();
    let words = WORDS.get_or_init(|| RESERVED_IN_MYSQL.split_whitespace().collect());
    words.contains(word.to_ascii_lowercase().as_str())
}

/// Whether a name must be quoted to be read back as itself.
pub(crate) fn needs_quotes(ident: &str, dialect: Dialect) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let odd = !ident.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') || !ident.chars().all(plain);
    odd || unquoted(ident, dialect) != ident
        || reserved(ident)
        || (dialect == Dialect::Mysql && reserved_in_mysql(ident))
}

/// A name as the engine reads it where it stands without quotes: Snowflake in capitals, PostgreSQL in small letters, the others as it is.
pub fn unquoted(name: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Snowflake => name.to_ascii_uppercase(),
        Dialect::Postgres => name.to_ascii_lowercase(),
        _ => name.to_owned(),
    }
}

/// Whether a name without quotes is another one to the engine than the same name within them.
pub fn folds(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::Snowflake | Dialect::Postgres)
}

/// An identifier of the syntax tree, quoted only where needed.
pub fn ident(name: &str, dialect: Dialect) -> Ident {
    if needs_quotes(name, dialect) { Ident::with_quote(dialect.identifier_quote(), name) } else { Ident::new(name) }
}

/// An identifier as text, quoted only where needed.
pub fn quote(ident: &str, dialect: Dialect) -> String {
    if !needs_quotes(ident, dialect) {
        return ident.to_owned();
    }
    match dialect {
        Dialect::Mysql | Dialect::Databricks => format!("`{}`", ident.replace('`', "``")),
        Dialect::Clickhouse => format!("`{}`", ident.replace('\\', "\\\\").replace('`', "``")),
        Dialect::Bigquery => format!("`{}`", ident.replace('\\', "\\\\").replace('`', "\\`")),
        _ => format!("\"{}\"", ident.replace('"', "\"\"")),
    }
}

/// A text constant of the syntax tree. In MySQL, ClickHouse and Databricks a backslash in a text stands before what it escapes, also in the tree.
pub fn text_value(text: &str, dialect: Dialect) -> Value {
    let escaped = matches!(dialect, Dialect::Mysql | Dialect::Clickhouse | Dialect::Databricks);
    Value::SingleQuotedString(if escaped { text.replace('\\', "\\\\") } else { text.to_owned() })
}

/// A table's name as text, with all its qualifiers.
pub fn table_ref(name: &TableName, dialect: Dialect) -> String {
    name.parts().map(|part| quote(part, dialect)).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_only_where_they_must_be() {
        for (name, dialect, written) in [
            ("orders", Dialect::Sqlite, "orders"),
            ("Order", Dialect::Sqlite, "\"Order\""),
            ("Free Meal Count (K-12)", Dialect::Sqlite, "\"Free Meal Count (K-12)\""),
            ("2019", Dialect::Duckdb, "\"2019\""),
            ("he said \"no\"", Dialect::Duckdb, "\"he said \"\"no\"\"\""),
            ("größe", Dialect::Duckdb, "\"größe\""),
            ("CustomerId", Dialect::Duckdb, "CustomerId"),
            ("CustomerId", Dialect::Postgres, "\"CustomerId\""),
            ("orders", Dialect::Snowflake, "\"orders\""),
            ("ORDERS", Dialect::Snowflake, "ORDERS"),
            ("isb-cgc-bq", Dialect::Bigquery, "`isb-cgc-bq`"),
            ("", Dialect::Sqlite, "\"\""),
            ("rank", Dialect::Mysql, "`rank`"),
            ("a`b", Dialect::Mysql, "`a``b`"),
            ("CustomerId", Dialect::Mysql, "CustomerId"),
        ] {
            assert_eq!(quote(name, dialect), written);
        }
    }

    #[test]
    fn table_references_quote_each_part() {
        let name = TableName { catalog: None, schema: Some("my schema".into()), name: "t".into() };
        assert_eq!(table_ref(&name, Dialect::Duckdb), "\"my schema\".t");
    }
}
