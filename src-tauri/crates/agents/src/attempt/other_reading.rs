//! Another reading of the question that a model reports beside its query: a word with two meanings. Only models that deliberate are offered
//! this report; only the user knows which meaning is intended.

use serde::Deserialize;

/// Maximum number of characters of a meaning, which is one line.
const LONGEST: usize = 160;

/// A second meaning of the question that a model reports beside its query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherReading {
    /// Meaning of the question under the model's query.
    pub taken: String,
    /// Second meaning that the question may have.
    pub otherwise: String,
    /// Query for the second meaning, as the model wrote it.
    pub sql: String,
}

#[derive(Deserialize)]
struct OtherReadingReply {
    taken: String,
    otherwise: String,
    otherwise_sql: String,
}

/// Parses another reading from a reply. `None` if the reply contains none, or an incomplete one.
pub fn other_reading(reply: &str) -> Option<OtherReading> {
    if !reply.contains("otherwise_sql") {
        return None;
    }
    let OtherReadingReply { taken, otherwise, otherwise_sql: sql } = vitrine_llm::parse_json(reply).ok()?;
    let (taken, otherwise) = (shorten_to_line(&taken)?, shorten_to_line(&otherwise)?);
    (taken != otherwise && !sql.trim().is_empty()).then_some(OtherReading { taken, otherwise, sql })
}

/// Returns a meaning on one line, cut if it is too long; `None` if it is empty.
fn shorten_to_line(meaning: &str) -> Option<String> {
    let line = meaning.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = line.chars().take(LONGEST).collect();
    let cut = if cut.len() < line.len() { format!("{cut}…") } else { cut };
    (!cut.is_empty()).then_some(cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OTHER: &str = r#"{"taken": "by revenue", "otherwise": "by number\n of orders", "otherwise_sql": "SELECT 2"}"#;

    #[test]
    fn a_reading_is_read_wherever_it_stands() {
        let expected = OtherReading {
            taken: "by revenue".to_owned(),
            otherwise: "by number of orders".to_owned(),
            sql: "SELECT 2".to_owned(),
        };
        for reply in [
            format!("\"Best\" is open.\n```json\n{OTHER}\n```\n```sql\nSELECT 1\n```"),
            format!("```sql\nSELECT 1\n```\n```json\n{OTHER}\n```"),
            format!("<think>{{\"a\": 1}}</think>{OTHER}\n```sql\nSELECT 1\n```"),
        ] {
            assert_eq!(other_reading(&reply), Some(expected.clone()), "{reply}");
        }
    }

    #[test]
    fn what_tells_no_second_meaning_is_none() {
        for reply in [
            "```sql\nSELECT 1\n```",
            "I thought of otherwise_sql and there is none.\n```sql\nSELECT 1\n```",
            r#"{"taken": "a", "otherwise": "a", "otherwise_sql": "SELECT 2"}"#,
            r#"{"taken": "a", "otherwise": "", "otherwise_sql": "SELECT 2"}"#,
            r#"{"taken": "a", "otherwise": "b", "otherwise_sql": " "}"#,
            r#"{"taken": "a", "otherwise": "b", "otherwise_sql": "#,
            "<think>{\"taken\": \"a\", \"otherwise\": \"b\", \"otherwise_sql\": \"SELECT 2\"}</think>SELECT 1",
        ] {
            assert_eq!(other_reading(reply), None, "{reply}");
        }
        let long = format!(r#"{{"taken": "a", "otherwise": "{}", "otherwise_sql": "SELECT 2"}}"#, "é".repeat(900));
        assert_eq!(other_reading(&long).map(|other| other.otherwise.chars().count()), Some(LONGEST + 1));
    }
}
