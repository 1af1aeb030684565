//! Parses SHOW GRANTS, whose lines have the same syntax in MySQL and ClickHouse.

use vitrine_words::tr;

/// Returns the privileges of a line that allow more than reading, with their objects; `reads` contains the privileges
/// before ON that change nothing.
pub(crate) fn more_than(reads: &[&str], grant: &str) -> Option<String> {
    let rest = grant.strip_prefix("GRANT ")?;
    // A role is granted without ON; its privileges are in separate lines.
    let (privileges, on) = rest.split_once(" ON ")?;
    let object = on.split(" TO ").next().unwrap_or_default();
    let mut depth = 0;
    // The columns of a privilege are in brackets and contain commas.
    let parts = privileges.split(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    let name = |part: &str| part.split('(').next().unwrap_or_default().trim().to_uppercase();
    let more: Vec<String> = parts.map(name).filter(|part| !reads.contains(&part.as_str())).collect();
    (!more.is_empty()).then(|| tr!("{privilege} on {object}", privilege = more.join(", "), object))
}
