//! Changes the text of a file of metrics without losing comments, blank lines and the form of unchanged definitions.

use crate::definition::{Metric, MetricsFile, SemanticTable};
use crate::file::{parse_file, render_file};
use crate::problem::MetricError;
use serde::Serialize;

/// The new text of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdatedFile {
    /// The text, which reads as the new definitions.
    pub text: String,
    /// False if comments of the old text are lost, because its form is unusual.
    pub keeps_comments: bool,
}

/// Returns the text of a file after a change of its definitions. Unchanged definitions keep their text.
///
/// # Errors
/// Fails if the definitions cannot be written.
pub fn update_file(old: &str, new: &MetricsFile) -> Result<UpdatedFile, MetricError> {
    let rendered = render_file(new)?;
    let known = parse_file(old)?;
    if known == *new {
        return Ok(UpdatedFile { text: old.to_owned(), keeps_comments: true });
    }
    if old.trim().is_empty() {
        return Ok(UpdatedFile { text: rendered, keeps_comments: true });
    }
    let merged = merge_texts(old, &known, new).filter(|text| parse_file(text).is_ok_and(|read| read == *new));
    Ok(match merged {
        Some(text) => UpdatedFile { text, keeps_comments: true },
        None => UpdatedFile { text: rendered, keeps_comments: !old.contains('#') },
    })
}

/// A top-level property with its lines, the comments before it included.
struct Section {
    key: String,
    /// Comments and blank lines before the property, and the line of the property.
    head: Vec<String>,
    body: Vec<String>,
}

/// Returns the changed text; `None` if the old text has an unusual form.
fn merge_texts(old: &str, known: &MetricsFile, new: &MetricsFile) -> Option<String> {
    let (mut sections, end) = split_sections(old)?;
    for key in ["calendar", "tables", "metrics"] {
        if sections.iter().all(|section| section.key != key) {
            sections.push(Section { key: key.to_owned(), head: vec![format!("{key}:")], body: Vec::new() });
        }
    }
    let mut lines: Vec<String> = Vec::new();
    for section in sections {
        let body = match section.key.as_str() {
            "calendar" if known.calendar == new.calendar => section.body,
            "calendar" => indent(&render(&new.calendar)?, "  "),
            "tables" => merge_items(section.body, &known.tables, &new.tables, |table: &SemanticTable| &table.name)?,
            "metrics" => merge_items(section.body, &known.metrics, &new.metrics, |metric: &Metric| &metric.name)?,
            _ => return None,
        };
        if body.iter().any(|line| !is_filler(line)) {
            lines.extend(section.head);
            lines.extend(body);
        } else {
            lines.extend(section.head.into_iter().filter(|line| is_filler(line)));
        }
    }
    lines.extend(end);
    let mut text = lines.join("\n");
    text.push('\n');
    Some(text)
}

fn is_filler(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

/// Splits a text at its top-level properties. Returns them, and comments at the end.
fn split_sections(text: &str) -> Option<(Vec<Section>, Vec<String>)> {
    let mut sections: Vec<Section> = Vec::new();
    let mut filler: Vec<String> = Vec::new();
    for line in text.lines() {
        let starts = line.starts_with(|c: char| c.is_ascii_alphabetic());
        if starts {
            let (key, rest) = line.split_once(':')?;
            if !is_filler(rest) {
                return None;
            }
            let mut head = std::mem::take(&mut filler);
            head.push(line.to_owned());
            sections.push(Section { key: key.trim().to_owned(), head, body: Vec::new() });
        } else if is_filler(line) {
            filler.push(line.to_owned());
        } else {
            let section = sections.last_mut()?;
            section.body.append(&mut filler);
            section.body.push(line.to_owned());
        }
    }
    Some((sections, filler))
}

/// Merges the lines of a list. Comments before an item belong to it.
fn merge_items<T: Serialize + PartialEq>(
    body: Vec<String>,
    known: &[T],
    new: &[T],
    name_of: impl Fn(&T) -> &String,
) -> Option<Vec<String>> {
    let dash = |line: &String| line.trim_start().starts_with("- ") || line.trim() == "-";
    let width = |line: &String| line.len() - line.trim_start().len();
    let first = body.iter().find(|line| !is_filler(line));
    let depth = first.map_or(2, width);
    let mut chunks: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    let mut filler: Vec<String> = Vec::new();
    for line in body {
        if dash(&line) && width(&line) == depth {
            chunks.push((std::mem::take(&mut filler), vec![line]));
        } else if is_filler(&line) {
            filler.push(line);
        } else {
            let (_, chunk) = chunks.last_mut()?;
            chunk.append(&mut filler);
            chunk.push(line);
        }
    }
    if chunks.len() != known.len() {
        return None;
    }
    let mut lines = Vec::new();
    for item in new {
        let at = known.iter().position(|old| name_of(old).eq_ignore_ascii_case(name_of(item)));
        if let Some(at) = at {
            lines.extend(chunks[at].0.iter().cloned());
        }
        match at {
            Some(at) if known[at] == *item => lines.extend(chunks[at].1.iter().cloned()),
            _ => lines.extend(indent(&render(&[item])?, &" ".repeat(depth))),
        }
    }
    lines.append(&mut filler);
    Some(lines)
}

fn render(value: &impl Serialize) -> Option<String> {
    serde_saphyr::to_string(value).ok()
}

fn indent(text: &str, by: &str) -> Vec<String> {
    text.lines().map(|line| if line.trim().is_empty() { line.to_owned() } else { format!("{by}{line}") }).collect()
}
