//! Detects the dialect of definitions from words that only one dialect uses.

use std::path::Path;
use vitrine_domain::Dialect;

/// Bytes of each file that are examined.
const HEAD: usize = 20_000;

const SIGNS: [(&str, Dialect); 24] = [
    ("create or replace table", Dialect::Snowflake),
    ("variant", Dialect::Snowflake),
    (" number(38", Dialect::Snowflake),
    ("varchar(16777216)", Dialect::Snowflake),
    ("timestamp_ntz", Dialect::Snowflake),
    ("create table `", Dialect::Bigquery),
    ("options(", Dialect::Bigquery),
    (" int64", Dialect::Bigquery),
    (" string", Dialect::Bigquery),
    ("struct<", Dialect::Bigquery),
    ("autoincrement", Dialect::Sqlite),
    ("sqlite_", Dialect::Sqlite),
    ("pragma ", Dialect::Sqlite),
    ("without rowid", Dialect::Sqlite),
    ("character varying", Dialect::Postgres),
    ("owner to", Dialect::Postgres),
    ("::regclass", Dialect::Postgres),
    (" serial", Dialect::Postgres),
    ("jsonb", Dialect::Postgres),
    (" from stdin", Dialect::Postgres),
    ("engine=", Dialect::Mysql),
    ("auto_increment", Dialect::Mysql),
    ("default charset", Dialect::Mysql),
    ("lock tables `", Dialect::Mysql),
];

/// Returns the dialect of most files; if the texts do not decide, a folder named after a dialect does.
pub(super) fn detect_dialect<'t>(path: &Path, texts: impl Iterator<Item = &'t str>) -> Dialect {
    let mut votes = [0_usize; 7];
    for text in texts {
        let end = (0..=HEAD.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        let head = text[..end].to_ascii_lowercase();
        for (sign, dialect) in SIGNS {
            votes[dialect as usize] += usize::from(head.contains(sign));
        }
    }
    let most = votes.iter().max().copied().unwrap_or(0);
    let all =
        [Dialect::Sqlite, Dialect::Duckdb, Dialect::Snowflake, Dialect::Bigquery, Dialect::Postgres, Dialect::Mysql];
    let by_text = all.into_iter().find(|dialect| most > 0 && votes[*dialect as usize] == most);
    by_text.or_else(|| by_folder(path)).unwrap_or(Dialect::Postgres)
}

fn by_folder(path: &Path) -> Option<Dialect> {
    path.iter().rev().find_map(|part| match part.to_string_lossy().to_ascii_lowercase().as_str() {
        "sqlite" => Some(Dialect::Sqlite),
        "duckdb" => Some(Dialect::Duckdb),
        "snowflake" | "spider2-snow" => Some(Dialect::Snowflake),
        "bigquery" => Some(Dialect::Bigquery),
        "postgres" | "postgresql" => Some(Dialect::Postgres),
        "mysql" | "mariadb" => Some(Dialect::Mysql),
        _ => None,
    })
}
