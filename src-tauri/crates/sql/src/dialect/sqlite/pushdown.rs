//! Conditions that SQLite evaluates for a join. A column may hold any type, so a test also accepts the rows whose value is
//! stored in another form than the declared type.

use super::Sqlite;
use crate::dialect::Expressions;
use crate::dialect::pushdown::{
    ColumnTest, Comparison, Constant, Pushdown, PushedCondition, PushedKey, day_of, full_timestamp, plain_number,
};

/// The way in which SQLite converts values that are stored in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Affinity {
    Number,
    Text,
    Date,
    Timestamp,
    Other,
}

fn affinity(data_type: &str) -> Affinity {
    let upper = data_type.to_ascii_uppercase();
    let has = |parts: &[&str]| parts.iter().any(|part| upper.contains(part));
    let name = upper.trim();
    if has(&["INT"]) {
        Affinity::Number
    } else if has(&["CHAR", "CLOB", "TEXT"]) {
        Affinity::Text
    } else if has(&["BLOB"]) || name.is_empty() {
        Affinity::Other
    } else if has(&["REAL", "FLOA", "DOUB", "NUM", "DEC"]) {
        Affinity::Number
    } else if name == "DATE" {
        Affinity::Date
    } else if name.starts_with("DATETIME") || name.starts_with("TIMESTAMP") {
        Affinity::Timestamp
    } else {
        Affinity::Other
    }
}

const DAY: &str = "'[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'";
const SECOND: &str = "'[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9]'";

impl Sqlite {
    fn constants(&self, affinity: Affinity, constants: &[Constant]) -> Option<Vec<String>> {
        let write = |constant: &Constant| match (affinity, constant) {
            (Affinity::Number, Constant::Number(number)) => plain_number(number),
            (Affinity::Text, Constant::Text(text)) => self.pushed_text("", Comparison::Equal, text),
            (Affinity::Date, Constant::Text(text) | Constant::Moment(text)) => {
                day_of(text).map(|day| self.text_literal(day))
            }
            // A column of texts is compared as texts, so another form of the same time would find other rows.
            (Affinity::Timestamp, Constant::Text(text)) => {
                let is_stored_form = text.len() == 19 && text.as_bytes()[10] == b' ' && full_timestamp(text).is_some();
                is_stored_form.then(|| self.text_literal(text))
            }
            (Affinity::Timestamp, Constant::Moment(text)) => {
                full_timestamp(text).filter(|text| text.len() == 19).map(|text| self.text_literal(&text))
            }
            _ => None,
        };
        constants.iter().map(write).collect()
    }
}

impl Pushdown for Sqlite {
    fn keeps_unicode(&self) -> bool {
        true
    }

    fn pushed_test(&self, name: &str, data_type: &str, test: &ColumnTest) -> Option<PushedCondition> {
        let affinity = affinity(data_type);
        let condition = match test {
            ColumnTest::IsNull => return PushedCondition::exact(format!("{name} IS NULL")),
            ColumnTest::IsNotNull => return PushedCondition::exact(format!("{name} IS NOT NULL")),
            ColumnTest::Like(pattern) => {
                let plain = !pattern.contains(['\\', '_', '\0', char::REPLACEMENT_CHARACTER]);
                if affinity != Affinity::Text || !plain {
                    return None;
                }
                format!("{name} LIKE {}", self.text_literal(pattern))
            }
            ColumnTest::Compare(comparison, constant) => {
                if affinity == Affinity::Text && *comparison != Comparison::Equal {
                    return None;
                }
                let constants = self.constants(affinity, std::slice::from_ref(constant))?;
                format!("{name} {} {}", comparison.symbol(), constants[0])
            }
            ColumnTest::OneOf(constants) => {
                format!("{name} IN ({})", self.constants(affinity, constants)?.join(", "))
            }
        };
        match affinity {
            // Other values than numbers pass no comparison with a number.
            Affinity::Number => {
                PushedCondition::exact(format!("({condition} AND typeof({name}) IN ('integer', 'real'))"))
            }
            // Bytes are delivered as hexadecimal digits, which may equal the text.
            Affinity::Text => PushedCondition::superset(format!("({condition} OR typeof({name}) = 'blob')")),
            Affinity::Date => PushedCondition::superset(format!("({condition} OR {name} NOT GLOB {DAY})")),
            Affinity::Timestamp => PushedCondition::superset(format!("({condition} OR {name} NOT GLOB {SECOND})")),
            Affinity::Other => None,
        }
    }

    fn pushed_key(&self, name: &str, _data_type: &str) -> Option<PushedKey> {
        Some(PushedKey { group: format!("{name} COLLATE BINARY"), select: name.to_owned() })
    }

    fn pushed_sum(&self, expression: &str, columns: &[(String, &str)]) -> Option<String> {
        numbers_only(&format!("SUM({expression})"), columns)
    }

    fn pushed_extreme(&self, function: &str, name: &str, data_type: &str) -> Option<String> {
        numbers_only(&format!("{function}({name})"), &[(name.to_owned(), data_type)])
    }
}

/// Writes an aggregate of columns of numbers. Other values make it a text, so that the local engine refuses to compute with
/// it, as it does with the column.
fn numbers_only(aggregate: &str, columns: &[(String, &str)]) -> Option<String> {
    if !columns.iter().all(|(_, data_type)| affinity(data_type) == Affinity::Number) {
        return None;
    }
    let others: Vec<String> =
        columns.iter().map(|(name, _)| format!("SUM(typeof({name}) IN ('text', 'blob')) > 0")).collect();
    Some(match others.is_empty() {
        true => aggregate.to_owned(),
        false => format!("CASE WHEN {} THEN 'not a number' ELSE {aggregate} END", others.join(" OR ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_compared_with_a_timestamp_only_in_its_stored_form() {
        let pushed = |constant: Constant| {
            let test = ColumnTest::Compare(Comparison::Greater, constant);
            Sqlite.pushed_test("t", "DATETIME", &test).is_some()
        };
        assert!(pushed(Constant::Text("2024-01-31 10:00:00".to_owned())));
        for other in ["2024-01-31", "2024-01-31T10:00:00", "2024-01-31 10:00"] {
            assert!(!pushed(Constant::Text(other.to_owned())), "{other}");
            assert!(pushed(Constant::Moment(other.to_owned())), "{other}");
        }
    }
}
