//! Renders M-Schema (DSR-SQL, appendix B): a table as a list of columns, each with its type, description and up to
//! three of its values. Small categories are listed completely, as in the other form, so that a part is not mistaken
//! for all values.
//!
//! ```text
//! # Table: orders
//! # Table Description: every order ever, 12,345 rows
//! [
//! (id: INTEGER, Primary Key),
//! (status: VARCHAR, where it is, Examples: ['open', 'shipped']),
//! (customer_id: INTEGER, Examples: [17, 4, 230])
//! ]
//! # Foreign keys: orders.customer_id = customers.id
//! ```

use super::{Writer, notes, quoted_pattern};
use crate::compress::CompressedColumn;
use std::fmt::Write;
use vitrine_sql::{quote_identifier, table_ref};

impl Writer<'_> {
    /// Renders the table as M-Schema.
    pub(super) fn m_schema(&self) -> String {
        let mut text = format!("# Table: {}\n", table_ref(self.shown, self.table.dialect));
        let about: Vec<String> = self.series_note().into_iter().chain(self.table_notes()).collect();
        if !about.is_empty() {
            let _ = writeln!(text, "# Table Description: {}", about.join(", "));
        }
        if let Some(members) = self.group_note() {
            let _ = writeln!(text, "# {members}");
        }
        if self.options.statistics {
            for line in self.definition_notes() {
                let _ = writeln!(text, "# {line}");
            }
        }
        let columns: Vec<String> = self.table.columns.iter().flat_map(|column| self.column_entries(column)).collect();
        let _ = write!(text, "[\n{}\n]\n", columns.join(",\n"));
        let keys = self.join_conditions();
        if !keys.is_empty() {
            let _ = writeln!(text, "# Foreign keys: {}", keys.join(", "));
        }
        text
    }

    /// Describes what the tables of a group stand for, for models that get statistics; `None` for a single table.
    fn series_note(&self) -> Option<String> {
        if self.members.len() < 2 || !self.options.statistics {
            return None;
        }
        let names: Vec<&str> = self.members.iter().map(|member| member.name.as_str()).collect();
        super::members::describe_series(self.bare_pattern(), &names)
    }

    /// Renders a column, or the selected ones of a group.
    fn column_entries(&self, column: &CompressedColumn) -> Vec<String> {
        let selected: Vec<&String> = column.members.iter().filter(|m| self.is_selected(m)).collect();
        if column.members.len() > 1 && selected.len() == column.members.len() {
            let names: Vec<String> = column.members.iter().map(|m| quote_identifier(m, self.table.dialect)).collect();
            let pattern = quoted_pattern(&column.pattern, &names);
            let members = super::members::describe_columns(&column.pattern, &names);
            return vec![format!("({}, {members})", self.name_with_type(&pattern, column))];
        }
        // A single column keeps its own name, since a member of a look-alike table may spell it differently.
        let single = (column.members.len() == 1 && !selected.is_empty()).then_some(&column.column.name);
        single
            .into_iter()
            .chain(selected.into_iter().filter(|_| single.is_none()))
            .map(|name| self.column_entry(name, column))
            .collect()
    }

    fn column_entry(&self, name: &str, column: &CompressedColumn) -> String {
        let table = &self.table.representative;
        let mut parts = vec![self.name_with_type(&quote_identifier(name, self.table.dialect), column)];
        if table.primary_key.iter().any(|key| key.eq_ignore_ascii_case(name)) {
            parts.push("Primary Key".to_owned());
        }
        parts.extend(self.column_comment(column));
        if let Some(profile) = self.profile.and_then(|p| p.find_column(name)) {
            parts.extend(notes::describe_encoding(profile, &column.column, self.options));
            parts.extend(notes::written_as(profile, name, self.table.dialect));
            if self.options.statistics {
                parts.extend(self.origin_note(name));
                parts.extend(notes::describe_statistics(profile, table.is_unique(name), false, self.sampled_rows()));
            }
            let most = match self.options.samples {
                0 => 0,
                few => notes::complete_value_count(profile).map_or(few, |all| all.max(few)),
            };
            let examples = notes::distinct_literals(profile, &column.column, most);
            if !examples.is_empty() {
                parts.push(format!("Examples: [{}]", examples.join(", ")));
            }
        }
        let fields = self.describe_fields(name, column);
        if !fields.is_empty() {
            parts.push(format!("Fields: [\n  {}\n]", fields.join(",\n  ")));
        }
        format!("({})", parts.join(", "))
    }

    fn name_with_type(&self, name: &str, column: &CompressedColumn) -> String {
        match self.data_type(column).trim_start() {
            "" => name.to_owned(),
            declared => format!("{name}: {declared}"),
        }
    }

    /// Returns `orders.customer_id = customers.id` for each foreign key whose columns are shown.
    fn join_conditions(&self) -> Vec<String> {
        let dialect = self.table.dialect;
        let mut joins = Vec::new();
        for key in &self.table.representative.foreign_keys {
            if !key.columns.iter().all(|own| self.is_selected(own) && self.has_column(own)) {
                continue;
            }
            let (own, other) = (table_ref(self.shown, dialect), table_ref(&key.ref_table, dialect));
            let pairs = key.columns.iter().zip(&key.ref_columns);
            let pairs: Vec<String> = pairs
                .map(|(a, b)| {
                    format!("{own}.{} = {other}.{}", quote_identifier(a, dialect), quote_identifier(b, dialect))
                })
                .collect();
            let join = pairs.join(" AND ");
            if !joins.contains(&join) {
                joins.push(join);
            }
        }
        joins
    }
}
