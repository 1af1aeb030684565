//! What the value index found, in words for a prompt.

use vitrine_domain::ValueMatch;
use vitrine_values::is_variant;

/// Lines in one prompt.
const LINES: usize = 8;
/// Stored values told for one literal that is not stored in any writing.
const ALTERNATIVES: usize = 2;

/// One line for each column that stores a literal, with all the ways in which it writes it; where no column does, the
/// values most like it. `customer.country IN ('USA', 'US')`, `car.make = 'Ford' (for 'Frod')`.
pub fn value_lines(matches: &[ValueMatch]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for literal in matches.iter().map(|m| m.literal.as_str()) {
        if seen.contains(&literal) {
            continue;
        }
        seen.push(literal);
        let found: Vec<&ValueMatch> = matches.iter().filter(|m| m.literal == literal).collect();
        let stored: Vec<(&ValueMatch, Vec<&str>)> = columns(&found)
            .into_iter()
            .map(|m| (m, writings(&found, m)))
            .filter(|(_, writings)| !writings.is_empty())
            .collect();
        let told: Vec<String> = if stored.is_empty() {
            found.iter().take(ALTERNATIVES).map(|m| line(m, &[&m.value])).collect()
        } else {
            stored.iter().map(|(m, writings)| line(m, writings)).collect()
        };
        for line in told {
            if !lines.contains(&line) && lines.len() < LINES {
                lines.push(line);
            }
        }
    }
    lines
}

/// The ways in which the column of `at` writes the literal of `at`, the literal itself first.
pub fn writings<'a>(matches: &[&'a ValueMatch], at: &ValueMatch) -> Vec<&'a str> {
    let here = matches.iter().filter(|m| m.literal == at.literal && m.table == at.table && m.column == at.column);
    let mut values: Vec<&str> = Vec::new();
    for m in here {
        if (m.value == m.literal || is_variant(&m.value, &m.literal)) && !values.contains(&m.value.as_str()) {
            values.push(&m.value);
        }
    }
    values.sort_by_key(|value| *value != at.literal);
    values
}

/// `('USA', 'US')`
pub fn list(values: &[&str]) -> String {
    let quoted: Vec<String> = values.iter().map(|value| format!("'{}'", value.replace('\'', "''"))).collect();
    format!("({})", quoted.join(", "))
}

/// One match of each column.
fn columns<'a>(matches: &[&'a ValueMatch]) -> Vec<&'a ValueMatch> {
    let mut columns: Vec<&ValueMatch> = Vec::new();
    for m in matches {
        if !columns.iter().any(|c| c.table == m.table && c.column == m.column) {
            columns.push(m);
        }
    }
    columns
}

fn line(m: &ValueMatch, values: &[&str]) -> String {
    match values {
        [value] => {
            let told = format!("{}.{} = '{}'", m.table, m.column, value.replace('\'', "''"));
            if *value == m.literal { told } else { format!("{told} (for '{}')", m.literal) }
        }
        several => format!("{}.{} IN {}", m.table, m.column, list(several)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(literal: &str, column: &str, value: &str) -> ValueMatch {
        ValueMatch {
            literal: literal.into(),
            table: "t".into(),
            column: column.into(),
            value: value.into(),
            edit: 0.6,
            semantic: None,
        }
    }

    #[test]
    fn every_writing_of_a_column_is_told_and_what_is_only_alike_is_not() {
        let matches = [
            found("USA", "country", "USA"),
            found("USA", "country", "United States"),
            found("USA", "country", "US"),
            found("USA", "state", "Utah"),
            found("Frod", "make", "Ford"),
            found("Frod", "make", "Ford GT"),
            found("Frod", "make", "Food"),
        ];
        assert_eq!(
            value_lines(&matches),
            [
                "t.country IN ('USA', 'United States', 'US')",
                "t.make = 'Ford' (for 'Frod')",
                "t.make = 'Ford GT' (for 'Frod')"
            ]
        );
    }
}
