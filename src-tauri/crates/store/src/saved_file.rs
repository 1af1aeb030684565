//! A saved question as a plain file that can be read, compared and kept under version control: SQL with a header of
//! comments.
//!
//! ```sql
//! -- vitrine saved question, format 1
//! -- id: "0190a5f2-7c1e-7f00-8a3b-1234567890ab"
//! -- title: "Revenue by month"
//! -- status: "verified"
//!
//! SELECT ...
//! ```
//!
//! Each line of the header is a name and a JSON value, so that no text of a title can end the header or begin a query.
//! The header ends with an empty line, followed by the exact query. The same question always produces the same bytes.

use crate::{Filing, SavedCode, SavedQuestion, SavedStatus};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use vitrine_domain::is_run_id;

const HEAD: &str = "-- vitrine saved question, format ";
const VERSION: u32 = 1;

/// Checks for the header of a saved question.
pub fn is_saved_file(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').starts_with(HEAD)
}

/// Renders a saved question as a file; `connection` replaces its warehouse's address. Its folder is the file's folder,
/// and its run stays in the workspace.
pub fn write_saved_file(question: &SavedQuestion, connection: &str) -> String {
    let mut text = format!("{HEAD}{VERSION}\n");
    write_header_line(&mut text, "id", &question.id);
    write_header_line(&mut text, "title", &question.title);
    write_header_line(&mut text, "question", &question.question);
    write_header_line(&mut text, "connection", &connection);
    write_header_line(&mut text, "status", &question.status);
    let filing = &question.filing;
    if let Some(checked) = &filing.checked {
        write_header_line(&mut text, "checked", checked);
    }
    if !filing.tags.is_empty() {
        write_header_line(&mut text, "tags", &filing.tags);
    }
    if !filing.readings.is_empty() {
        write_header_line(&mut text, "readings", &filing.readings);
    }
    if let Some(schema) = &filing.schema {
        // One line per table, so that a change affects only one line.
        for (table, columns) in schema {
            write_header_line(&mut text, "uses", &(table, columns));
        }
    }
    if !filing.parameters.is_empty() {
        write_header_line(&mut text, "parameters", &filing.parameters);
    }
    if !question.notes.is_empty() {
        write_header_line(&mut text, "notes", &question.notes);
    }
    if let Some(code) = &question.code {
        write_header_line(&mut text, "code", code);
    }
    write_header_line(&mut text, "created", &question.created_at);
    write_header_line(&mut text, "updated", &question.updated_at);
    let _ = write!(text, "\n{}\n", question.sql.trim_end());
    text
}

fn write_header_line(text: &mut String, name: &str, value: &impl Serialize) {
    let _ = writeln!(text, "-- {name}: {}", serde_json::to_string(value).expect("plain data"));
}

/// Parses the file of a saved question; returns the question and the name of its connection.
///
/// # Errors
/// Returns a description of the problem with its line number.
pub fn read_saved_file(text: &str) -> Result<(SavedQuestion, String), String> {
    // Version control may have converted line endings.
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let rest = text.strip_prefix(HEAD).ok_or("it does not begin as the file of a saved question")?;
    let (version, rest) = rest.split_once('\n').unwrap_or((rest, ""));
    match version.trim().parse::<u32>() {
        Ok(VERSION) => {}
        Ok(newer) => return Err(format!("a newer version of Vitrine wrote it (format {newer})")),
        Err(_) => return Err("line 1: its format is not a number".to_owned()),
    }
    let (head, sql) = rest.split_once("\n\n").ok_or("there is no empty line between its head and its query")?;
    let mut lines = BTreeMap::new();
    let mut schema = BTreeMap::new();
    for (text, number) in head.lines().zip(2..) {
        let (name, value) = text
            .strip_prefix("-- ")
            .and_then(|text| text.split_once(": "))
            .ok_or_else(|| format!("line {number}: it is not `-- name: value`"))?;
        let wrong = |error: serde_json::Error| format!("line {number}: `{name}` cannot be read: {error}");
        if name == "uses" {
            let (table, columns): (String, BTreeMap<String, String>) = serde_json::from_str(value).map_err(wrong)?;
            schema.insert(table, columns);
        } else if lines.insert(name, (number, value)).is_some() {
            return Err(format!("line {number}: `{name}` is there twice"));
        }
    }
    let head = Lines(lines);
    let id: String = head.required_value("id")?;
    if !is_run_id(&id) {
        return Err("`id` is not a UUID".to_owned());
    }
    let filing = Filing {
        folder: String::new(),
        tags: head.optional_value("tags")?.unwrap_or_default(),
        readings: head.optional_value("readings")?.unwrap_or_default(),
        checked: head.optional_value("checked")?,
        schema: (!schema.is_empty()).then_some(schema),
        parameters: head.optional_value("parameters")?.unwrap_or_default(),
    };
    let question = SavedQuestion {
        id,
        title: head.required_value("title")?,
        question: head.required_value("question")?,
        sql: sql.trim_end().to_owned(),
        code: head.optional_value::<SavedCode>("code")?,
        warehouse: String::new(),
        status: head.required_value::<SavedStatus>("status")?,
        run_id: None,
        notes: head.optional_value("notes")?.unwrap_or_default(),
        created_at: head.required_value("created")?,
        updated_at: head.required_value("updated")?,
        filing,
    };
    Ok((question, head.required_value("connection")?))
}

/// The lines of a header: name, line number and value.
struct Lines<'a>(BTreeMap<&'a str, (u32, &'a str)>);

impl Lines<'_> {
    fn optional_value<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, String> {
        let Some((number, value)) = self.0.get(name) else { return Ok(None) };
        serde_json::from_str(value)
            .map(Some)
            .map_err(|error| format!("line {number}: `{name}` cannot be read: {error}"))
    }

    fn required_value<T: DeserializeOwned>(&self, name: &str) -> Result<T, String> {
        self.optional_value(name)?.ok_or_else(|| format!("there is no `{name}` in its head"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Checked, ResultCheck, SavedView};
    use proptest::prelude::*;

    fn make_question(title: &str, notes: &str, sql: &str) -> SavedQuestion {
        let columns = BTreeMap::from([("id".to_owned(), "INTEGER".to_owned())]);
        SavedQuestion {
            id: "0190a5f2-7c1e-7f00-8a3b-1234567890ab".into(),
            title: title.into(),
            question: "How many?\nIn 2023".into(),
            sql: sql.into(),
            code: Some(SavedCode {
                code: "result = a\n".into(),
                views: vec![SavedView { name: "a".into(), sql: "SELECT 1".into() }],
            }),
            warehouse: String::new(),
            status: SavedStatus::Verified,
            run_id: None,
            notes: notes.into(),
            created_at: "2026-01-01T00:00:00.000Z".into(),
            updated_at: "2026-01-02T00:00:00.000Z".into(),
            filing: Filing {
                folder: String::new(),
                tags: vec!["finance".into()],
                readings: vec!["only paid orders".into()],
                checked: Some(Checked {
                    by: "ann".into(),
                    at: "2026-01-02T00:00:00.000Z".into(),
                    sql_sha256: "ab".into(),
                    result: Some(ResultCheck { rows: 3, sha256: "cd".into() }),
                }),
                schema: Some(BTreeMap::from([("orders".to_owned(), columns)])),
                parameters: vec!["year".into()],
            },
        }
    }

    #[test]
    fn a_check_by_an_account_without_a_name_names_nobody() {
        let older =
            write_saved_file(&make_question("Orders", "", "SELECT 1"), "Sales").replace("\"ann\"", "\"unknown\"");
        let (read, _) = read_saved_file(&older).unwrap();
        assert_eq!(read.filing.checked.unwrap().by, "");
    }

    #[test]
    fn a_file_is_sql_with_a_head_that_people_can_read() {
        let text = write_saved_file(&make_question("Orders", "", "SELECT 1"), "Sales");
        assert!(text.starts_with("-- vitrine saved question, format 1\n-- id: "), "{text}");
        assert!(
            text.contains("-- connection: \"Sales\"\n-- status: \"verified\"\n-- checked: {\"by\":\"ann\""),
            "{text}"
        );
        assert!(
            text.contains("-- uses: [\"orders\",{\"id\":\"INTEGER\"}]\n") && text.ends_with("\n\nSELECT 1\n"),
            "{text}"
        );
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said_with_its_line() {
        let good = write_saved_file(&make_question("t", "", "SELECT 1"), "Sales");
        for (from, to, said) in [
            ("format 1", "format 9", "newer version"),
            ("-- title: \"t\"", "-- title: t", "line 3: `title` cannot be read"),
            ("-- title: \"t\"\n", "", "no `title`"),
            ("-- title: \"t\"", "DROP TABLE x;", "line 3: it is not"),
            ("-- title: \"t\"", "-- title: \"t\"\n-- title: \"u\"", "line 4: `title` is there twice"),
            ("0190a5f2", "../../x", "not a UUID"),
            ("\n\nSELECT 1\n", "\n", "no empty line"),
            ("-- vitrine", "-- other", "does not begin"),
        ] {
            let error = read_saved_file(&good.replace(from, to)).unwrap_err();
            assert!(error.contains(said), "{from}: {error}");
        }
        assert!(is_saved_file(&good) && !is_saved_file("SELECT 1"));
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_again(title in "\\PC{0,40}", notes in any::<String>(), sql in "[ -~\n]{0,60}") {
            let written = make_question(&title, &notes, sql.trim_end());
            let text = write_saved_file(&written, &title);
            let (read, connection) = read_saved_file(&text).unwrap();
            prop_assert_eq!(&read, &written);
            prop_assert_eq!(connection, title.clone());
            prop_assert_eq!(write_saved_file(&read, &title), text.clone());
            // With the line endings of another system.
            if !sql.contains('\r') {
                prop_assert_eq!(read_saved_file(&text.replace('\n', "\r\n")).unwrap().0, written);
            }
        }

        #[test]
        fn whatever_a_file_holds_nothing_breaks(text in any::<String>()) {
            let _ = read_saved_file(&text);
            let _ = read_saved_file(&format!("{HEAD}1\n{text}"));
        }
    }
}
