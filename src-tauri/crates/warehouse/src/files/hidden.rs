//! Hidden rows and columns of a workbook, which its reader does not report: they are kept in the table and mentioned in
//! the reading.

use crate::regular;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use vitrine_words::{plural, tr};
use zip::ZipArchive;

/// The hidden parts of a sheet; rows and columns from 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Hidden {
    rows: Vec<u32>,
    /// Ranges from the first to the last hidden column.
    columns: Vec<(u32, u32)>,
}

impl Hidden {
    /// Describes the hidden rows and columns of a table.
    pub fn describe_doubts(&self, rows: impl Fn(u32) -> bool, columns: &[(u32, &str)]) -> Vec<String> {
        let rows: Vec<u32> = self.rows.iter().copied().filter(|row| rows(*row)).collect();
        let is_hidden = |at: u32| self.columns.iter().any(|(first, last)| (*first..=*last).contains(&at));
        let names: Vec<&str> = columns.iter().filter(|(at, _)| is_hidden(*at)).map(|(_, name)| *name).collect();
        let rows = rows.first().map(|first| {
            plural!(
                rows.len(),
                "{n} row is hidden in the workbook, and is in the table: row {first}.",
                "{n} rows are hidden in the workbook, and are in the table; the first is row {first}.",
                first = first + 1
            )
        });
        let columns = (!names.is_empty())
            .then(|| tr!("Hidden in the workbook, and columns of the table: {names}.", names = names.join(", ")));
        rows.into_iter().chain(columns).collect()
    }
}

/// Returns the hidden parts of each sheet by its name; empty for formats other than Excel's XML.
pub(super) fn read_hidden_parts(file: &Path) -> HashMap<String, Hidden> {
    let Some(mut archive) = regular::open_found(file).ok().and_then(|file| ZipArchive::new(BufReader::new(file)).ok())
    else {
        return HashMap::new();
    };
    let mut targets = HashMap::new();
    visit_tags(&mut archive, "xl/_rels/workbook.xml.rels", |tag| {
        if let (true, Some(id), Some(target)) =
            (tag.has_name("Relationship"), tag.attribute("Id"), tag.attribute("Target"))
        {
            let path = target.strip_prefix('/').map_or_else(|| format!("xl/{target}"), str::to_owned);
            targets.insert(id, path);
        }
    });
    let mut sheets = Vec::new();
    visit_tags(&mut archive, "xl/workbook.xml", |tag| {
        let id = || tag.attribute("r:id").or_else(|| tag.attribute("id"));
        if let (true, Some(name), Some(path)) =
            (tag.has_name("sheet"), tag.attribute("name"), id().and_then(|id| targets.get(&id).cloned()))
        {
            sheets.push((name, path));
        }
    });
    let mut found = HashMap::new();
    for (name, path) in sheets {
        let (mut hidden, mut row) = (Hidden::default(), 0);
        visit_tags(&mut archive, &path, |tag| {
            let number = |name: &str| tag.attribute(name).and_then(|text| text.parse::<u32>().ok());
            let is_hidden = || matches!(tag.attribute("hidden").as_deref(), Some("1" | "true"));
            if tag.has_name("row") {
                row = number("r").unwrap_or(row + 1);
                hidden.rows.extend(is_hidden().then(|| row.saturating_sub(1)));
            } else if tag.has_name("col")
                && is_hidden()
                && let (Some(first), Some(last)) = (number("min"), number("max"))
            {
                hidden.columns.push((first.saturating_sub(1), last.saturating_sub(1)));
            }
        });
        found.insert(name, hidden);
    }
    found
}

/// The start tag of an element.
struct Tag<'t>(&'t str);

impl Tag<'_> {
    fn has_name(&self, name: &str) -> bool {
        // A namespace prefix may precede the name.
        let own = self.0.split([' ', '\t', '\r', '\n', '/', '>']).next().unwrap_or_default();
        own.rsplit(':').next() == Some(name)
    }

    /// Returns the value of an attribute.
    fn attribute(&self, name: &str) -> Option<String> {
        let mut rest = self.0;
        while let Some((before, after)) = rest.split_once('=') {
            let after = after.trim_start();
            let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
            let (value, next) = after[1..].split_once(quote)?;
            if before.split_whitespace().last() == Some(name) {
                return Some(unescape_xml(value));
            }
            rest = next;
        }
        None
    }
}

fn unescape_xml(text: &str) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
        .iter()
        .fold(text.to_owned(), |text, (escaped, letter)| text.replace(escaped, letter))
}

/// Calls `visit` for the start tags of all elements in a part.
fn visit_tags(archive: &mut ZipArchive<BufReader<File>>, part: &str, mut visit: impl FnMut(&Tag<'_>)) {
    let Ok(entry) = archive.by_name(part) else { return };
    let (mut input, mut piece) = (BufReader::new(entry), Vec::new());
    loop {
        piece.clear();
        // A damaged part is reported by the reader of its cells.
        if !matches!(input.read_until(b'>', &mut piece), Ok(1..)) {
            return;
        }
        if let Some(at) = piece.iter().rposition(|byte| *byte == b'<')
            && let Ok(text) = std::str::from_utf8(&piece[at + 1..])
        {
            visit(&Tag(text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_read_by_their_whole_names() {
        let tag = Tag(r#"x:row r="3" spans='1:2' hidden = "1" ht="&lt;a&gt;">"#);
        assert!(tag.has_name("row") && !tag.has_name("col"));
        let values = ["r", "spans", "hidden", "ht", "idden"].map(|name| tag.attribute(name));
        let expected = [Some("3"), Some("1:2"), Some("1"), Some("<a>"), None];
        assert_eq!(values, expected.map(|value| value.map(str::to_owned)));
    }
}
