//! What a line of SHOW GRANTS allows: MySQL and ClickHouse write them alike.

use vitrine_words::tr;

/// The privileges of one line that are more than reading, with what they are for; `reads` are those that change nothing: the words
/// before ON.
pub(crate) fn more_than(reads: &[&str], grant: &str) -> Option<String> {
    let rest = grant.strip_prefix("GRANT ")?;
    // A role is granted without ON: what it may do stands in lines of its own.
    let (privileges, on) = rest.split_once(" ON ")?;
    let object = on.split(" TO ").next().unwrap_or_default();
    let mut depth = 0;
    // The columns of a privilege stand in brackets, with commas of their own.
    let parts = privileges.split(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    let name = |part: &str| part.split('(').next().unwrap_or_default().trim().to_uppercase();
    let more: Vec<String> = parts.map(name).filter(|part| !reads.contains(&part.as_str())).collect();
    (!more.is_empty()).then(|| tr!("{privilege} on {object}", privilege = more.join(", "), object))
}
