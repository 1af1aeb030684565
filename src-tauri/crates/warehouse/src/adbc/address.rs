//! Addresses of databases behind a driver that the user added: `adbc:NAME?dialect=postgres&uri=...`. Nothing in them is secret:
//! what looks like a secret is refused.

use std::fmt;
use url::{Url, form_urlencoded};
use vitrine_domain::Dialect;
use vitrine_words::tr;

/// The part of such an address before the colon.
pub(crate) const SCHEME: &str = "adbc";
/// Words in the name of an option that holds a secret.
const SECRETS: [&str; 7] = ["password", "passwd", "pwd", "secret", "token", "credential", "private"];
const DIALECTS: [(&str, Dialect); 12] = [
    ("sqlite", Dialect::Sqlite),
    ("duckdb", Dialect::Duckdb),
    ("postgres", Dialect::Postgres),
    ("mysql", Dialect::Mysql),
    ("bigquery", Dialect::Bigquery),
    ("snowflake", Dialect::Snowflake),
    ("clickhouse", Dialect::Clickhouse),
    ("databricks", Dialect::Databricks),
    ("trino", Dialect::Trino),
    ("mssql", Dialect::Mssql),
    // Its other names.
    ("sqlserver", Dialect::Mssql),
    ("tds", Dialect::Mssql),
];

/// A driver, the options that it gets, and what its SQL is like.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DriverAddress {
    driver: String,
    dialect: Dialect,
    /// Whether the address says the dialect.
    said: bool,
    options: Vec<(String, String)>,
}

impl DriverAddress {
    /// Reads an address; an error says what is wrong with it, without repeating it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (scheme, rest) = text.split_once(':').unwrap_or_default();
        if !scheme.eq_ignore_ascii_case(SCHEME) {
            return Err(tr!("it is to begin with {start}", start = format!("{SCHEME}:")));
        }
        let (driver, query) = rest.split_once('?').unwrap_or((rest, ""));
        let driver = driver.to_ascii_lowercase();
        let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if driver.is_empty() || !driver.chars().all(known) {
            return Err(tr!("write adbc:DRIVER?uri=..., with the name that the driver was added by"));
        }
        let (mut options, mut said) = (Vec::new(), None);
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let (name, value) = (name.into_owned(), value.into_owned());
            let lower = name.to_ascii_lowercase();
            if SECRETS.iter().any(|word| lower.contains(word)) || holds_secret(&value) {
                return Err(tr!(
                    "it holds a password or a token, which would be kept in plain text: leave it where the driver itself looks for it, such as ~/.pgpass"
                ));
            }
            match (lower.as_str(), dialect_named(&value)) {
                ("dialect", Some(dialect)) => said = Some(dialect),
                ("dialect", None) => {
                    let all = DIALECTS.map(|(word, _)| word).join(", ");
                    return Err(tr!("this dialect is not known; there are {all}", all));
                }
                ("driver" | "entrypoint" | "profile", _) => {
                    return Err(tr!(
                        "the option {name} is not for addresses: a driver is named, and added beforehand",
                        name
                    ));
                }
                _ => options.push((name, value)),
            }
        }
        let of_name = DIALECTS.into_iter().find(|(word, _)| driver.contains(word)).map(|(_, dialect)| dialect);
        let dialect = said.or(of_name).ok_or_else(|| {
            let all = DIALECTS.map(|(word, _)| word).join(", ");
            tr!("it does not say what its SQL is like; add dialect=NAME, one of {all}", all)
        })?;
        Ok(Self { driver, dialect, said: said.is_some(), options })
    }

    /// The name that the driver was added by.
    pub fn driver(&self) -> &str {
        &self.driver
    }

    /// What its SQL is written in.
    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// What the driver gets.
    pub(crate) fn options(&self) -> &[(String, String)] {
        &self.options
    }

    /// What people call it.
    pub fn title(&self) -> &str {
        &self.driver
    }
}

impl fmt::Display for DriverAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}:{}", self.driver)?;
        let mut query = form_urlencoded::Serializer::new(String::new());
        let said = DIALECTS.iter().find(|(_, dialect)| self.said && *dialect == self.dialect);
        query.extend_pairs(said.map(|(word, _)| ("dialect", word)));
        query.extend_pairs(&self.options);
        let query = query.finish();
        if query.is_empty() { Ok(()) } else { write!(f, "?{query}") }
    }
}

fn dialect_named(word: &str) -> Option<Dialect> {
    DIALECTS.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, dialect)| dialect)
}

/// A URL with a password, or words as in `password=...`.
fn holds_secret(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    Url::parse(value).is_ok_and(|url| url.password().is_some())
        || SECRETS.iter().any(|word| lower.contains(&format!("{word}=")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_written_so_that_it_is_read_again() {
        for text in
            ["adbc:sqlite?uri=%2Ftmp%2Fa.db", "adbc:mine?dialect=postgres&uri=postgresql%3A%2F%2Fann%40db%2Fshop&x.y=1"]
        {
            let address = DriverAddress::parse(text).unwrap();
            assert_eq!(address.to_string(), text);
            assert_eq!(DriverAddress::parse(&address.to_string()).unwrap(), address);
        }
        let typed = DriverAddress::parse("ADBC:SQLite?uri=/tmp/a.db").unwrap();
        assert_eq!((typed.driver(), typed.dialect()), ("sqlite", Dialect::Sqlite));
        for (text, dialect) in
            [("adbc:clickhouse?uri=x", Dialect::Clickhouse), ("adbc:mine?dialect=databricks", Dialect::Databricks)]
        {
            assert_eq!(DriverAddress::parse(text).map(|address| address.dialect()), Ok(dialect), "{text}");
        }
        assert_eq!(typed.options(), [("uri".to_owned(), "/tmp/a.db".to_owned())]);
    }

    #[test]
    fn what_is_secret_or_not_understood_is_refused_and_not_repeated() {
        for (text, reason) in [
            ("adbc:", "adbc:DRIVER"),
            ("adbc:/usr/lib/x.so", "adbc:DRIVER"),
            ("adbc:mine?uri=x", "dialect=NAME"),
            ("adbc:mine?dialect=klingon", "not known"),
            ("adbc:sqlite?driver=/tmp/evil.so", "not for addresses"),
            ("adbc:sqlite?entrypoint=Evil", "not for addresses"),
            ("adbc:postgresql?uri=postgresql://ann:hidden@db/shop", "plain text"),
            ("adbc:postgresql?uri=postgresql://db/shop?password=hidden", "plain text"),
            ("adbc:postgresql?password=hidden", "plain text"),
            ("adbc:snowflake?adbc.snowflake.sql.client_option.auth_token=hidden", "plain text"),
        ] {
            let error = DriverAddress::parse(text).unwrap_err();
            assert!(error.contains(reason) && !error.contains("hidden"), "{text}: {error}");
        }
    }
}
