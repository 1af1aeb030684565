//! Connections for the databases of a pack that are on servers.

use super::question::{Entry, Question, SkipReason};
use std::str::FromStr;
use vitrine_warehouse::WarehouseUri;

/// The databases that one connection serves: `DATABASE` or `ENGINE:DATABASE`, where `*` stands for any text. Case is
/// ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabasePattern {
    engine: Option<String>,
    database: String,
}

impl FromStr for DatabasePattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (engine, database) = match text.trim().split_once(':') {
            Some((engine, database)) => (Some(engine.trim().to_lowercase()), database),
            None => (None, text),
        };
        let database = database.trim().to_lowercase();
        if database.is_empty() || engine.as_ref().is_some_and(String::is_empty) {
            return Err("write it as DATABASE or ENGINE:DATABASE, such as bigquery:*".to_owned());
        }
        Ok(Self { engine, database })
    }
}

impl DatabasePattern {
    /// Returns `true` if it names a single database.
    fn is_exact(&self) -> bool {
        !self.database.contains('*')
    }

    fn accepts(&self, question: &Question) -> bool {
        let same_engine = self.engine.as_deref().is_none_or(|engine| engine == question.engine);
        same_engine && matches_wildcard(&self.database, &question.db_id.to_lowercase())
    }
}

/// Checks a text against a pattern in which `*` stands for any text.
fn matches_wildcard(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|text| {
            let mut ends = (0..=text.len()).filter(|at| text.is_char_boundary(*at));
            ends.any(|at| matches_wildcard(rest, &text[at..]))
        }),
    }
}

/// A connection with the databases that it serves.
#[derive(Debug, Clone)]
pub struct PackConnection {
    /// The databases.
    pub pattern: DatabasePattern,
    /// The address of the connection.
    pub address: String,
}

impl PackConnection {
    /// Returns the address for a question's database: that of the connection for a single database, and for a pattern
    /// the address of the database with the question's name and the same login.
    fn address_for(&self, question: &Question) -> Option<String> {
        if self.pattern.is_exact() {
            return Some(self.address.clone());
        }
        let uri = WarehouseUri::parse(&self.address).ok()?.at_database(&question.db_id, &question.schemas)?;
        Some(uri.to_string())
    }
}

/// Sets the warehouse of a question whose database a connection serves. A connection that names the database precedes
/// one with a pattern, which applies only to databases without local data.
pub(super) fn connect_question(question: Question, connections: &[PackConnection], has_data: bool) -> Entry {
    let serving = |exact: bool| {
        let mut known = connections.iter().filter(move |known| known.pattern.is_exact() == exact);
        known.find(|known| known.pattern.accepts(&question))
    };
    let Some(connection) = serving(true).or_else(|| serving(false).filter(|_| !has_data)) else { return Ok(question) };
    let warehouse = connection.address_for(&question).ok_or(SkipReason::NoConnection)?;
    Ok(Question { warehouse, lender: Some(connection.address.clone()), ..question })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(engine: &'static str, db_id: &str, schemas: &[&str]) -> Question {
        let schemas = schemas.iter().map(|name| (*name).to_owned()).collect();
        Question { db_id: db_id.to_owned(), engine, schemas, warehouse: "ddl:/x".to_owned(), ..Question::default() }
    }

    fn connection(pattern: &str, address: &str) -> PackConnection {
        PackConnection { pattern: pattern.parse().unwrap(), address: address.to_owned() }
    }

    #[test]
    fn a_pattern_accepts_any_text_at_each_star() {
        for (pattern, text, accepted) in [
            ("*", "", true),
            ("ga*", "ga360", true),
            ("*_plus", "austin_plus", true),
            ("a*c*e", "abcde", true),
            ("a*c*e", "abde", false),
            ("ga4", "ga40", false),
            ("*ö*", "größe", true),
        ] {
            assert_eq!(matches_wildcard(pattern, text), accepted, "{pattern} {text}");
        }
        for wrong in ["", ":x", "bigquery:"] {
            assert!(wrong.parse::<DatabasePattern>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_connection_of_one_database_precedes_those_of_many() {
        let known = [
            connection("bigquery:*", "bigquery://pays?key_file=/k.json"),
            connection("snowflake:*", "snowflake://ann@acme/ANY/PUBLIC?warehouse=W"),
            connection("GA4", "bigquery://own/ga4"),
        ];
        let at = |question: Question| connect_question(question, &known, false).map(|question| question.warehouse);
        assert_eq!(at(question("bigquery", "ga4", &["x.y"])).unwrap(), "bigquery://own/ga4");
        assert_eq!(
            at(question("bigquery", "ga360", &["public-data.analytics"])).unwrap(),
            "bigquery://public-data/analytics?billing_project=pays&key_file=/k.json"
        );
        assert_eq!(at(question("snowflake", "PATENTS", &[])).unwrap(), "snowflake://ann@acme/PATENTS?warehouse=W");
        assert_eq!(at(question("sqlite", "chinook", &[])).unwrap(), "ddl:/x");
        for unreachable in [&[][..], &["a.x", "b.x"]] {
            assert_eq!(at(question("bigquery", "several", unreachable)), Err(SkipReason::NoConnection));
        }
    }

    #[test]
    fn a_pattern_leaves_databases_with_local_data_alone() {
        let local = question("sqlite", "chinook", &[]);
        let all = [connection("*", "postgresql://ann@host/any")];
        assert_eq!(connect_question(local.clone(), &all, true).unwrap().warehouse, "ddl:/x");
        assert_eq!(connect_question(local.clone(), &all, false).unwrap().warehouse, "postgresql://ann@host/chinook");
        let one = [connection("chinook", "sqlite:/mine.db")];
        assert_eq!(connect_question(local, &one, true).unwrap().warehouse, "sqlite:/mine.db");
    }
}
