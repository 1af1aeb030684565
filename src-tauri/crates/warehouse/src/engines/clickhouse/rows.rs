//! Rows in the server's format: a JSON list per line. A line in another form is an error of the server, which can occur
//! after valid rows.

use super::errors::Exception;
use super::http::{Failure, Lines};
use crate::WarehouseError;
use serde::de::IgnoredAny;

/// Rows of an internal query, with each value as text.
pub(super) type Rows = Vec<Vec<Option<String>>>;

/// Splits a line into its values in JSON form; `None` if the line is not a row.
pub(super) fn split_cells(line: &[u8]) -> Option<Vec<&str>> {
    let text = std::str::from_utf8(line).ok()?.trim();
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    let mut cells = Vec::new();
    if inner.trim().is_empty() {
        return Some(cells);
    }
    let (mut depth, mut start, mut in_text, mut escaped) = (0_i32, 0, false, false);
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            b',' if depth == 0 => {
                cells.push(inner[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    cells.push(inner[start..].trim());
    let is_whole = |cell: &&str| match cell.as_bytes().first() {
        Some(b'"' | b'[' | b'{') => serde_json::from_str::<IgnoredAny>(cell).is_ok(),
        Some(b'0'..=b'9' | b'-') => {
            cell.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'))
        }
        _ => matches!(*cell, "null" | "true" | "false"),
    };
    (depth == 0 && !in_text && cells.iter().all(is_whole)).then_some(cells)
}

/// Converts a value to text; `None` for NULL.
pub(super) fn decode_cell(cell: &str) -> Option<String> {
    match cell.as_bytes().first() {
        _ if cell == "null" => None,
        Some(b'"') => serde_json::from_str(cell).ok(),
        _ => Some(cell.to_owned()),
    }
}

/// Parses the exception in a line that is not a row and in the text after it.
pub(super) async fn read_exception(line: Vec<u8>, lines: &mut Lines) -> Exception {
    let text = format!("{}\n{}", String::from_utf8_lossy(&line), lines.read_remaining().await);
    parse_exception(&text)
}

fn parse_exception(text: &str) -> Exception {
    // The exception is a JSON object, plain text after the rows, or text between two markers, depending on the server's
    // version.
    let unquoted = text.lines().find_map(|line| {
        let value: serde_json::Value = serde_json::from_str(line).ok()?;
        Some(value.get("exception")?.as_str()?.to_owned())
    });
    let found = unquoted.as_deref().and_then(Exception::find_in_text).or_else(|| Exception::find_in_text(text));
    found.unwrap_or_else(|| Exception { code: 0, message: "the server broke off in the middle of the rows".to_owned() })
}

/// Reads the column names and types, which precede the rows.
pub(super) async fn read_header(lines: &mut Lines) -> Result<(Vec<String>, Vec<String>), Failure> {
    let names = read_header_line(lines).await?;
    let types = read_header_line(lines).await?;
    if names.len() == types.len() && !names.is_empty() {
        Ok((names, types))
    } else {
        Err(Failure::Connection(WarehouseError::Refused { message: "the statement is not a query".to_owned() }))
    }
}

async fn read_header_line(lines: &mut Lines) -> Result<Vec<String>, Failure> {
    let Some(line) = lines.next().await.map_err(Failure::Connection)? else { return Ok(Vec::new()) };
    let texts = split_cells(line).and_then(|cells| cells.into_iter().map(decode_cell).collect::<Option<Vec<String>>>());
    match texts {
        Some(texts) => Ok(texts),
        None => {
            let line = line.to_vec();
            Err(Failure::Server(read_exception(line, lines).await))
        }
    }
}

/// Reads all rows of a response.
pub(super) async fn read_rows(mut lines: Lines) -> Result<Rows, Failure> {
    let (names, _) = read_header(&mut lines).await?;
    let mut rows = Rows::new();
    while let Some(line) = lines.next().await.map_err(Failure::Connection)? {
        match split_cells(line).filter(|cells| cells.len() == names.len()) {
            Some(cells) => rows.push(cells.into_iter().map(decode_cell).collect()),
            None if line.is_empty() => {}
            None => {
                let line = line.to_vec();
                return Err(Failure::Server(read_exception(line, &mut lines).await));
            }
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_a_whole_list_and_nothing_else() {
        let line = br#"[9007199254740993, "q\"],[", null, -1.5e-7, true, [1,"]"], {"a":{"b":"}"}}]"#;
        let row = split_cells(line).unwrap();
        assert_eq!(
            row,
            ["9007199254740993", r#""q\"],[""#, "null", "-1.5e-7", "true", r#"[1,"]"]"#, r#"{"a":{"b":"}"}}"#]
        );
        assert_eq!(decode_cell(row[1]).as_deref(), Some("q\"],["));
        assert_eq!((decode_cell(row[2]), decode_cell(row[0]).as_deref()), (None, Some("9007199254740993")));
        for broken in [
            "Code: 395. DB::Exception: Value passed to 'throwIf' (FUNCTION_THROW_IF_VALUE_IS_NON_ZERO)",
            r#"{"exception": "Code: 395. DB::Exception: x"}"#,
            "__exception__",
            "[1, 2Code: 395. DB::Exception: x [y]",
            "[1, 2Code: 395]",
            r#"["abc"#,
            r#"["abc, 1]"#,
            "[1, 2",
            "[1,, 2]",
            "[1, nan]",
            "[1]]",
            "",
        ] {
            assert_eq!(split_cells(broken.as_bytes()), None, "{broken}");
        }
    }

    #[test]
    fn what_the_server_says_is_found_in_each_of_its_forms() {
        let wanted = Exception { code: 395, message: "Value passed to 'throwIf'".to_owned() };
        for text in [
            "Code: 395. DB::Exception: Value passed to 'throwIf' (FUNCTION_THROW) (version 23.8.1.1)",
            "[1, 2Code: 395. DB::Exception: Value passed to 'throwIf' (FUNCTION_THROW) (version 23.8.1.1)",
            "{\"exception\": \"Code: 395. DB::Exception: Value passed to 'throwIf' (FUNCTION_THROW) (version 24.8)\"}\n",
            "\r\n__exception__\r\nabc\r\nCode: 395. DB::Exception: Value passed to 'throwIf' (FUNCTION_THROW) (version 25.11.1.1)\r\n90 abc\r\n__exception__\r\n",
        ] {
            assert_eq!(parse_exception(text), wanted, "{text}");
        }
        assert_eq!(parse_exception("[1, 2").code, 0);
    }
}
