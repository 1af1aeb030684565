//! Database errors in this program's own words. Only names of the query or the schema, types of a fixed list and a position in the query
//! are copied from the database's text.

use std::collections::HashSet;

/// Kinds of errors by fragments of database messages, in lower case. The first entry whose parts all occur applies.
const KINDS: &[(&[&[&str]], Kind)] = &[
    (
        &[
            &["syntax error"],
            &["parser error"],
            &["error in your sql syntax"],
            &["incomplete input"],
            &["unrecognized token"],
            &["mismatched input"],
            &["parse_syntax_error"],
            &["syntax_error"],
        ],
        Kind { says: "the database cannot read the query", names: true },
    ),
    (
        &[
            &["no such function"],
            &["function", "does not exist"],
            &["function with name"],
            &["no function matches"],
            &["function not found"],
            &["unknown function"],
            &["unresolved_routine"],
            &["not a recognized", "function name"],
        ],
        Kind { says: "the database has no such function for these arguments", names: true },
    ),
    (&[&["ambiguous"]], Kind { says: "a name of the query can mean several columns", names: true }),
    (
        &[
            &["must appear in the group by"],
            &["in group by"],
            &["neither grouped"],
            &["not an aggregate expression"],
            &["misuse of aggregate"],
            &["aggregate functions are not allowed"],
            &["aggregate function calls cannot"],
            &["invalid use of group function"],
            &["where clause cannot contain aggregates"],
            &["missing_aggregation"],
            &["mixing of group columns"],
            &["is not under aggregate function"],
        ],
        Kind {
            says: "a column is neither grouped nor inside of an aggregate, or an aggregate stands where none may",
            names: true,
        },
    ),
    (
        &[
            &["operator does not exist"],
            &["cannot compare values of type"],
            &["explicit type cast"],
            &["could not choose a best candidate"],
            &["cannot be matched"],
            &["datatype_mismatch"],
            &["no matching signature"],
            &["illegal types"],
        ],
        Kind { says: "the types of two sides do not fit each other", names: true },
    ),
    (
        &[
            &["same number of"],
            &["different number of columns"],
            &["do not have the same number"],
            &["number of result columns"],
        ],
        Kind { says: "the parts of a set operation have different numbers of columns", names: false },
    ),
    (
        &[&["more than one row returned"], &["subquery returns more than"], &["more than one row"]],
        Kind { says: "a subquery that stands for one value gives more than one row", names: false },
    ),
    (
        &[
            &["no such column"],
            &["unknown column"],
            &["referenced column"],
            &["column", "does not exist"],
            &["does not have a column named"],
            &["has no column"],
            &["invalid column name"],
            &["unrecognized name"],
            &["unresolved_column"],
            &["unknown identifier"],
            &["unknown expression"],
            &["invalid identifier"],
            &["missing columns"],
            &["cannot be resolved"],
        ],
        Kind { says: "there is no such column where the query names it", names: true },
    ),
    (
        &[
            &["no such table"],
            &["table with name"],
            &["relation", "does not exist"],
            &["unknown table"],
            &["table", "doesn't exist"],
            &["table", "not found"],
            &["table_or_view_not_found"],
            &["missing from-clause entry"],
            &["referenced table"],
            &["invalid object name"],
            &["object", "does not exist"],
        ],
        Kind { says: "there is no such table where the query names it", names: true },
    ),
    (
        &[
            &["permission denied"],
            &["command denied"],
            &["access denied"],
            &["not authorized"],
            &["insufficient privilege"],
        ],
        Kind { says: "this login may not read what the query reads", names: true },
    ),
    (&[&["division by zero"], &["divide by zero"]], Kind { says: "a number is divided by zero", names: false }),
    (
        &[&["out of range"], &["overflow"], &["out-of-range"]],
        Kind { says: "a number is outside of its type's range", names: false },
    ),
    (
        &[
            &["could not convert"],
            &["conversion error"],
            &["invalid input syntax"],
            &["could not parse"],
            &["cannot parse"],
            &["failed to cast"],
            &["cast_invalid_input"],
            &["incorrect", "value"],
            &["truncated incorrect"],
            &["bad double value"],
            &["could not be converted"],
            &["is not recognized"],
            &["error converting"],
            &["conversion failed"],
        ],
        Kind { says: "a stored value cannot be converted as the query does it", names: false },
    ),
    (&[&["json"]], Kind { says: "a stored value is not JSON of the form that the query reads", names: false }),
    (
        &[&["regular expression"], &["regexp"], &["missing )"], &["missing ]"], &["invalid pattern"]],
        Kind { says: "a pattern of the query is not valid", names: false },
    ),
    (
        &[&["binder error"], &["catalog error"]],
        Kind { says: "the database refused the query before it read a row", names: true },
    ),
];

/// Kind of all errors that no entry matches.
const OTHER: Kind = Kind { says: "the database could not run the query", names: false };

/// Types that a described error may name.
const TYPES: &[&str] = &[
    "bigint",
    "bool",
    "boolean",
    "bytea",
    "date",
    "datetime",
    "decimal",
    "double",
    "float",
    "float64",
    "hugeint",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "integer",
    "interval",
    "json",
    "number",
    "numeric",
    "real",
    "smallint",
    "string",
    "text",
    "time",
    "timestamp",
    "tinyint",
    "uuid",
    "varchar",
];

/// Maximum number of names in a described error.
const MOST_NAMES: usize = 6;

struct Kind {
    says: &'static str,
    /// True if the error is about names, not about stored values.
    names: bool,
}

/// Describes an error in this program's own words. `is_known` returns true for names of the schema, in lower case.
pub(super) fn describe_error(error: &str, sql: &str, is_known: &dyn Fn(&str) -> bool) -> String {
    let lower = error.to_lowercase();
    let fits = |ways: &[&[&str]]| ways.iter().any(|parts| parts.iter().all(|part| lower.contains(part)));
    let kind = KINDS.iter().find(|(ways, _)| fits(ways)).map_or(&OTHER, |(_, kind)| kind);
    let mut text = kind.says.to_owned();
    if kind.names {
        let written = collect_identifiers(sql);
        let names = extract_error_names(error, &|name| written.contains(name) || is_known(name));
        if !names.is_empty() {
            text.push_str(&format!(": {}", names.join(", ")));
        }
        if let Some(place) = locate_error(error, sql) {
            text.push_str(&place);
        }
    } else if let Some(of) = converted_to(&lower).filter(|_| kind.says.contains("converted")) {
        text.push_str(&format!(" (to {})", of.to_uppercase()));
    }
    text
}

/// Extracts the names that an error mentions: in quotes, or after a word such as `table`.
fn extract_error_names(error: &str, is_known: &dyn Fn(&str) -> bool) -> Vec<String> {
    const BEFORE: &[&str] =
        &["column", "entry", "for", "function", "identifier", "name", "named", "near", "relation", "table"];
    let is_part = |c: char| c.is_alphanumeric() || "_$.".contains(c);
    let mut found: Vec<String> = Vec::new();
    let mut before = String::new();
    let mut rest = error;
    while let Some(first) = rest.chars().next() {
        let quoted = ['"', '\'', '`'].contains(&first).then(|| rest[1..].split_once(first)).flatten();
        let (name, after, is_name) = match quoted {
            Some((name, after)) => (name, after, true),
            None if is_part(first) => {
                let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
                let word = rest[..end].trim_end_matches('.');
                (word, &rest[end..], BEFORE.contains(&before.as_str()))
            }
            None => {
                rest = &rest[first.len_utf8()..];
                continue;
            }
        };
        let lower = name.to_lowercase();
        let name_of = lower.split('(').next().unwrap_or_default().trim();
        let known = !name_of.is_empty() && name_of.split('.').all(|part| is_known(part.trim_matches(['"', '`'])));
        if is_name && known && found.len() < MOST_NAMES {
            let shown = name.split('(').next().unwrap_or_default().trim().to_owned();
            if !found.contains(&shown) {
                found.push(shown);
            }
        }
        before = lower;
        rest = after;
    }
    found
}

/// Returns the words of a query outside of its string literals, in lower case.
fn collect_identifiers(sql: &str) -> HashSet<String> {
    let mut found = HashSet::new();
    for (at, part) in sql.split('\'').enumerate() {
        // Odd parts are string literals.
        if at % 2 == 0 {
            let words = part.split(|c: char| !c.is_alphanumeric() && !"_$".contains(c));
            found.extend(words.filter(|word| !word.is_empty()).map(str::to_lowercase));
            let quoted = part.split(['"', '`', '[', ']']).filter(|name| name.contains(|c: char| !c.is_alphanumeric()));
            found.extend(quoted.filter(|name| !name.contains('\n')).map(str::to_lowercase));
        }
    }
    found
}

/// Returns the position in the query that an error mentions.
fn locate_error(error: &str, sql: &str) -> Option<String> {
    let number = |before: &str| -> Option<usize> {
        let (_, rest) = error.rsplit_once(before)?;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    if let Some(at) = number("(at character ").filter(|at| *at <= sql.chars().count()) {
        return Some(format!(" (at character {at})"));
    }
    number("LINE ").filter(|line| (1..=sql.lines().count()).contains(line)).map(|line| format!(" (in line {line})"))
}

/// Returns the target type of a failed conversion.
fn converted_to(error: &str) -> Option<&'static str> {
    let words: Vec<&str> = error.split(|c: char| !c.is_alphanumeric()).collect();
    let follows = |at: usize| matches!(words[at], "to" | "type" | "as" | "incorrect");
    (0..words.len().saturating_sub(1))
        .rev()
        .filter(|&at| follows(at))
        .find_map(|at| TYPES.iter().copied().find(|of| *of == words[at + 1]))
}
