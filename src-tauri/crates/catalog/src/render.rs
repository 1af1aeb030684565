//! Renders schemas as CREATE statements: one column per line, with a few values after `--`.
//!
//! ```text
//! CREATE TABLE sales_targets_2024 ( -- Net sales target in USD per store and month, 480 rows
//!   -- also sales_targets_2022, sales_targets_2023 (same columns)
//!   store_id INTEGER REFERENCES stores(store_id),
//!   month INTEGER, -- 1 .. 12
//!   PRIMARY KEY (store_id, month),
//! );
//! ```
//! The text depends only on its arguments and is always the same byte for byte, so that a model's cached state can be
//! reused.

mod fields;
mod m_schema;
mod members;
mod notes;
mod options;
#[cfg(test)]
mod tests;

pub use options::{RenderOptions, SchemaForm};

use crate::compress::{Compressed, CompressedColumn, CompressedTable};
use crate::text::one_line;
use notes::COMMENT;
use std::collections::HashMap;
use std::fmt::Write;
use vitrine_domain::{Profile, SchemaSelection, Table, TableKind, TableName, TableProfile};
use vitrine_sql::{quote_identifier, table_ref};
use vitrine_words::format_english_number;

/// Maximum number of characters of a declared type; paths describe the rest of a wide struct.
const TYPE: usize = 160;
/// Maximum numbers of characters of a view's definition and of the sources of one of its columns.
const DEFINITION: usize = 1_200;
const ORIGIN: usize = 160;

/// Renders all tables or a selection of them, separated by empty lines.
pub fn render_schema(
    compressed: &Compressed,
    profile: Option<&Profile>,
    only: Option<&SchemaSelection>,
    options: &RenderOptions,
) -> String {
    let profiles = Profiles::new(profile);
    let texts: Vec<String> = compressed
        .tables
        .iter()
        .filter_map(|table| match only {
            None => Some(render_table(table, profiles.find_for_group(table), None, options)),
            Some(selection) => render_selected(table, &profiles, selection, options),
        })
        .collect();
    texts.join("\n")
}

/// Renders one table or group. With `only`, other columns are omitted; an empty list keeps all of them.
pub fn render_table(
    table: &CompressedTable,
    profile: Option<&TableProfile>,
    only: Option<&[String]>,
    options: &RenderOptions,
) -> String {
    Writer { table, profile, members: &table.members, shown: &table.representative.name, only, options }.render_text()
}

/// Profiles indexed by the names of their tables.
pub(crate) struct Profiles<'a>(HashMap<&'a TableName, &'a TableProfile>);

impl<'a> Profiles<'a> {
    pub(crate) fn new(profile: Option<&'a Profile>) -> Self {
        Self(profile.into_iter().flat_map(|p| &p.tables).map(|t| (&t.table, t)).collect())
    }

    /// Returns the profile of a group: that of the representative, or of another member while profiling is in progress.
    pub(crate) fn find_for_group(&self, table: &CompressedTable) -> Option<&'a TableProfile> {
        self.find_by_name(&table.representative.name).or_else(|| self.find_for_members(&table.members))
    }

    fn find_by_name(&self, name: &TableName) -> Option<&'a TableProfile> {
        self.0.get(name).copied()
    }

    fn find_for_members(&self, members: &[TableName]) -> Option<&'a TableProfile> {
        members.iter().rev().find_map(|m| self.0.get(m).copied())
    }
}

/// Renders a table or group if some of its members are selected.
fn render_selected(
    table: &CompressedTable,
    profiles: &Profiles<'_>,
    selection: &SchemaSelection,
    options: &RenderOptions,
) -> Option<String> {
    let by_pattern = |name: &str| name.eq_ignore_ascii_case(&table.pattern) && table.members.len() > 1;
    let whole = selection.tables.iter().any(|t| by_pattern(&t.name));
    let members: Vec<TableName> =
        table.members.iter().filter(|m| whole || selection.contains(m, None)).cloned().collect();
    let shown = members.iter().find(|member| **member == table.representative.name).or(members.last())?;
    let named = |name: &str| {
        by_pattern(name)
            || members.iter().any(|m| m.to_string().eq_ignore_ascii_case(name) || m.name.eq_ignore_ascii_case(name))
    };
    let columns: Vec<String> =
        selection.tables.iter().filter(|t| named(&t.name)).flat_map(|t| t.columns.iter().cloned()).collect();
    let profile = profiles
        .find_by_name(shown)
        .or_else(|| profiles.find_for_members(&members))
        .or_else(|| profiles.find_for_group(table));
    Some(Writer { table, profile, members: &members, shown, only: Some(&columns), options }.render_text())
}

struct Writer<'a> {
    table: &'a CompressedTable,
    profile: Option<&'a TableProfile>,
    members: &'a [TableName],
    shown: &'a TableName,
    only: Option<&'a [String]>,
    options: &'a RenderOptions,
}

impl Writer<'_> {
    fn render_text(&self) -> String {
        match self.options.form {
            _ if self.is_void() => self.render_empty_table(),
            SchemaForm::Statements => self.render_statement(),
            SchemaForm::MSchema => self.m_schema(),
        }
    }

    /// Returns true for a table without rows and joins, whose columns are irrelevant to models that get statistics.
    fn is_void(&self) -> bool {
        let alone = self.members.len() == 1 && self.table.members.len() == 1 && !self.table.joins;
        let table = self.table.representative.kind == TableKind::Table;
        self.options.statistics && alone && table && self.profile.is_some_and(|profile| profile.row_count == Some(0))
    }

    /// Renders a table without rows on one line.
    fn render_empty_table(&self) -> String {
        let dialect = self.table.dialect;
        let name = table_ref(self.shown, dialect);
        let wanted = |column: &&CompressedColumn| column.members.iter().any(|member| self.is_selected(member));
        let columns = self.table.columns.iter().filter(wanted).flat_map(|column| &column.members);
        let columns: Vec<String> = columns.map(|column| quote_identifier(column, dialect)).collect();
        match self.options.form {
            SchemaForm::Statements => format!("CREATE TABLE {name} ({}); -- no rows\n", columns.join(", ")),
            SchemaForm::MSchema => format!("# Table: {name} ({}), no rows\n", columns.join(", ")),
        }
    }

    fn render_statement(&self) -> String {
        let representative = &self.table.representative;
        let what = if representative.kind == TableKind::View { "VIEW" } else { "TABLE" };
        let mut text = format!("CREATE {what} {} (", table_ref(self.shown, self.table.dialect));
        end_line(&mut text, &self.table_notes().join(", "));
        if let Some(members) = self.group_note() {
            let _ = writeln!(text, "  -- {members}");
        }
        if self.options.statistics {
            for line in self.definition_notes() {
                let _ = writeln!(text, "  -- {line}");
            }
        }
        for column in &self.table.columns {
            self.write_column(column, &mut text);
        }
        self.write_composite_keys(representative, &mut text);
        if !self.options.last_comma {
            drop_last_comma(&mut text);
        }
        text.push_str(");\n");
        text
    }

    /// Returns the table's comment and row count.
    fn table_notes(&self) -> Vec<String> {
        let representative = &self.table.representative;
        let mut notes = Vec::new();
        if let Some(comment) = representative.comment.as_deref().filter(|_| self.options.comments) {
            notes.push(one_line(comment, COMMENT));
        }
        let rows = |rows: u64| format!("{} row{}", format_english_number(rows), if rows == 1 { "" } else { "s" });
        let known = self.profile.and_then(|profile| profile.row_count).or(representative.row_count);
        match (self.sampled_rows(), known) {
            (None, known) => notes.extend(known.map(rows)),
            (Some(read), Some(known)) if known > read => {
                notes.extend([rows(known), format!("values seen in {} of them", format_english_number(read))]);
            }
            (Some(read), _) => notes.push(format!("values seen in {}, others were not read", rows(read))),
        }
        notes.retain(|n| !n.is_empty());
        // Avoids a comma after a full stop.
        if let [sentences, _, ..] = &mut notes[..] {
            sentences.truncate(sentences.strip_suffix('.').map_or(sentences.len(), str::len));
        }
        notes
    }

    /// Returns the number of rows read, if the table has others.
    fn sampled_rows(&self) -> Option<u64> {
        self.profile.and_then(TableProfile::sampled_rows)
    }

    /// Lists the tables of a group; `None` for a single table.
    fn group_note(&self) -> Option<String> {
        if self.members.len() < 2 {
            return None;
        }
        let dialect = self.table.dialect;
        // All have the same schema, which is mentioned once.
        let names: Vec<String> = self.members.iter().map(|m| quote_identifier(&m.name, dialect)).collect();
        let full = table_ref(self.shown, dialect);
        let shown = quote_identifier(&self.shown.name, dialect);
        let schema = full.strip_suffix(&shown).unwrap_or_default();
        Some(members::describe_tables(self.bare_pattern(), &names, &shown, schema))
    }

    /// Describes the tables that a view reads and its definition.
    fn definition_notes(&self) -> Vec<String> {
        let read = self.table.lineage.iter().flat_map(|lineage| &lineage.tables);
        let read: Vec<String> = read.map(|name| one_line(name, COMMENT)).collect();
        let reads = (!read.is_empty()).then(|| format!("reads {}", read.join(", ")));
        let definition = self.table.representative.definition.as_ref();
        reads.into_iter().chain(definition.map(|d| format!("defined as {}", one_line(d, DEFINITION)))).collect()
    }

    /// Returns the pattern without catalog and schema.
    fn bare_pattern(&self) -> &str {
        let name = &self.shown;
        let qualifiers: usize = [&name.catalog, &name.schema].into_iter().flatten().map(|q| q.len() + 1).sum();
        self.table.pattern.get(qualifiers..).unwrap_or_default()
    }

    fn write_column(&self, column: &CompressedColumn, text: &mut String) {
        let selected: Vec<&String> = column.members.iter().filter(|m| self.is_selected(m)).collect();
        if selected.is_empty() {
            return;
        }
        if column.members.len() > 1 && selected.len() < column.members.len() {
            // A partly selected group is listed column by column.
            for name in selected {
                self.write_column_line(name, column, text);
            }
        } else if column.members.len() > 1 {
            let names: Vec<String> = column.members.iter().map(|m| quote_identifier(m, self.table.dialect)).collect();
            let pattern = quoted_pattern(&column.pattern, &names);
            let _ = write!(text, "  {pattern}{},", self.data_type(column));
            let mut notes = vec![members::describe_columns(&column.pattern, &names)];
            notes.extend(self.column_comment(column).filter(|c| !c.chars().any(|c| c.is_ascii_digit())));
            end_line(text, &notes.join("; "));
        } else {
            self.write_column_line(&column.column.name, column, text);
        }
    }

    fn write_column_line(&self, name: &str, column: &CompressedColumn, text: &mut String) {
        let dialect = self.table.dialect;
        let table = &self.table.representative;
        let _ = write!(text, "  {}{}", quote_identifier(name, dialect), self.data_type(column));
        if let [key] = &table.primary_key[..]
            && key.eq_ignore_ascii_case(name)
        {
            text.push_str(" PRIMARY KEY");
        }
        let mut referred: Vec<String> = Vec::new();
        for key in &table.foreign_keys {
            if let ([own], [other]) = (&key.columns[..], &key.ref_columns[..])
                && own.eq_ignore_ascii_case(name)
            {
                let target = format!("{}({})", table_ref(&key.ref_table, dialect), quote_identifier(other, dialect));
                if !referred.contains(&target) {
                    referred.push(target);
                }
            }
        }
        // A column has one REFERENCES clause; further targets follow in the remark.
        if let Some(target) = referred.first() {
            let _ = write!(text, " REFERENCES {target}");
        }
        text.push(',');
        let profile = self.profile.and_then(|p| p.find_column(name));
        let values = profile.and_then(|p| notes::describe_values(p, &column.column, self.sampled_rows(), self.options));
        let always = values.as_deref().is_some_and(notes::is_always);
        let others = referred.iter().skip(1).map(|target| format!("also refers to {target}"));
        let written = profile.and_then(|p| notes::written_as(p, name, dialect));
        let mut parts: Vec<String> =
            self.column_comment(column).into_iter().chain(others).chain(values).chain(written).collect();
        if self.options.statistics {
            parts.extend(self.origin_note(name));
            let unique = table.is_unique(name);
            parts.extend(profile.and_then(|p| notes::describe_statistics(p, unique, always, self.sampled_rows())));
        }
        end_line(text, &parts.join("; "));
        for field in self.describe_fields(name, column) {
            let _ = writeln!(text, "  --   {field}");
        }
    }

    /// Describes the fields of a nested column, for models that get them.
    fn describe_fields(&self, name: &str, column: &CompressedColumn) -> Vec<String> {
        let Some(profile) = self.profile else { return Vec::new() };
        let shown = quote_identifier(name, self.table.dialect);
        profile.find_column(name).map_or_else(Vec::new, |known| {
            fields::describe_fields(&shown, &column.column.data_type, known, profile, self.options)
        })
    }

    /// Describes the source columns of a view's column.
    fn origin_note(&self, name: &str) -> Option<String> {
        let origin = self.table.lineage.iter().flat_map(|lineage| &lineage.columns).find(|(own, _)| own == name);
        origin.map(|(_, from)| format!("from {}", one_line(from, ORIGIN)))
    }

    fn column_comment(&self, column: &CompressedColumn) -> Option<String> {
        let comment = column.column.comment.as_deref().filter(|_| self.options.comments)?;
        Some(one_line(comment, COMMENT)).filter(|c| !c.is_empty())
    }

    /// Returns the declared type after a space, or nothing if none is declared. Lengths and scales are omitted, since
    /// queries do not need them.
    fn data_type(&self, column: &CompressedColumn) -> String {
        let known = self.profile.and_then(|profile| profile.find_column(&column.column.name));
        // Without a profile, the type alone tells the names of a struct's fields.
        let listed = known.is_some_and(|known| self.options.lists_fields(known));
        let limit = if listed { TYPE } else { TYPE.max(self.options.fields) };
        let declared = one_line(&column.column.data_type, limit);
        let upper = declared.to_ascii_uppercase();
        let sized = [
            "VARCHAR(",
            "CHAR(",
            "NVARCHAR(",
            "CHARACTER VARYING(",
            "TEXT(",
            "STRING(",
            "BINARY(",
            "TIMESTAMP_",
            "DECIMAL(",
            "NUMERIC(",
            "NUMBER(",
            "FLOAT(",
        ];
        let shorter = match declared.split_once('(') {
            Some((base, rest)) if rest.ends_with(')') && sized.iter().any(|s| upper.starts_with(s)) => base.to_owned(),
            _ => declared,
        };
        if shorter.is_empty() { shorter } else { format!(" {shorter}") }
    }

    /// Writes composite keys, which fit on no column's line.
    fn write_composite_keys(&self, table: &Table, text: &mut String) {
        let dialect = self.table.dialect;
        let list = |names: &[String]| names.iter().map(|n| quote_identifier(n, dialect)).collect::<Vec<_>>().join(", ");
        let all_shown = |names: &[String]| names.iter().all(|n| self.is_selected(n) && self.has_column(n));
        if table.primary_key.len() > 1 && all_shown(&table.primary_key) {
            let _ = writeln!(text, "  PRIMARY KEY ({}),", list(&table.primary_key));
        }
        for key in &table.foreign_keys {
            if key.columns.len() == 1 || !all_shown(&key.columns) {
                continue;
            }
            let target = table_ref(&key.ref_table, dialect);
            let (own, referred) = (list(&key.columns), list(&key.ref_columns));
            let _ = writeln!(text, "  FOREIGN KEY ({own}) REFERENCES {target}({referred}),");
        }
    }

    /// Returns true if the compressed table has this column; columns without values are left out of it.
    fn has_column(&self, name: &str) -> bool {
        self.table.columns.iter().any(|column| column.members.iter().any(|own| own.eq_ignore_ascii_case(name)))
    }

    fn is_selected(&self, name: &str) -> bool {
        let Some(only) = self.only.filter(|only| !only.is_empty()) else { return true };
        let table = &self.table.representative;
        let is = |other: &String| other.eq_ignore_ascii_case(name);
        // A model may name a group of columns by its pattern.
        let by_pattern =
            || only.iter().any(|o| o.contains('{') && o.eq_ignore_ascii_case(&crate::compress::digits_to_num(name)));
        let key = || table.primary_key.iter().any(is) || table.foreign_keys.iter().any(|k| k.columns.iter().any(is));
        only.iter().any(is) || by_pattern() || (self.options.keys && key())
    }
}

/// Removes the comma after the last definition: the last one in its line outside of quotes and before the remark.
fn drop_last_comma(text: &mut String) {
    let mut end = text.trim_end().len();
    let mut start = line_start(text, end);
    // Lines about the fields of a nested column follow its definition.
    while start > 0 && text[start..].trim_start().starts_with("--") {
        end = start - 1;
        start = line_start(text, end);
    }
    let mut quoted: Option<char> = None;
    let mut comma = None;
    for (at, letter) in text[start..end].char_indices() {
        match (quoted, letter) {
            (None, '"' | '`') => quoted = Some(letter),
            (Some(mark), _) if mark == letter => quoted = None,
            (None, '-') if text[start + at..end].starts_with("-- ") => break,
            (None, ',') => comma = Some(start + at),
            _ => {}
        }
    }
    if let Some(at) = comma {
        text.remove(at);
    }
}

/// Returns the start of the line that ends at `end`.
fn line_start(text: &str, end: usize) -> usize {
    text[..end].rfind('\n').map_or(0, |at| at + 1)
}

/// Ends a line, with a remark if there is one.
fn end_line(text: &mut String, remark: &str) {
    if !remark.is_empty() {
        text.push_str(" -- ");
        text.push_str(remark);
    }
    text.push('\n');
}

/// Quotes a pattern if its members are quoted.
fn quoted_pattern(pattern: &str, members: &[String]) -> String {
    match members.first().and_then(|m| m.chars().next()) {
        Some(mark @ ('"' | '`')) => format!("{mark}{pattern}{mark}"),
        _ => pattern.to_owned(),
    }
}
