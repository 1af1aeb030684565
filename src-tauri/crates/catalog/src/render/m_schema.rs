//! M-Schema (DSR-SQL, appendix B): one column a line, in parentheses, with its type, what is said about it, whether it is
//! the key, and up to three values.
//!
//! ```text
//! # Table: stores, Where things are sold, 12 rows
//! [
//! (store_id: INTEGER, Primary Key, Examples: [1, 2, 3]),
//! (region: TEXT, the sales region, Examples: ['North', 'South']),
//! (manager_id: INTEGER, refers to staff(staff_id)),
//! ]
//! ```

use super::notes::{COMMENT, literal, stored_as_text};
use super::{Writer, grouped, members, one_line, quote, quoted_pattern, table_ref};
use crate::compress::CompressedColumn;
use std::fmt::Write as _;
use vitrine_domain::SemanticKind;

/// Distinct values of a column.
const EXAMPLES: usize = 3;

impl Writer<'_> {
    /// The table as M-Schema.
    pub(super) fn m_schema(&self) -> String {
        let dialect = self.table.dialect;
        let table = &self.table.representative;
        let mut head = vec![table_ref(self.shown, dialect)];
        head.extend(table.comment.as_deref().filter(|_| self.options.comments).map(|said| one_line(said, COMMENT)));
        head.extend(self.profile.map(|p| p.row_count).or(table.row_count).map(|rows| {
            format!("{} row{}", grouped(rows), if rows == 1 { "" } else { "s" })
        }));
        head.retain(|part| !part.is_empty());
        let mut text = format!("# Table: {}\n", head.join(", "));
        if self.members.len() > 1 {
            let _ = writeln!(text, "# {}", self.group());
        }
        text.push_str("[\n");
        for column in &self.table.columns {
            let selected: Vec<&String> = column.members.iter().filter(|member| self.wanted(member)).collect();
            if column.members.len() > 1 && selected.len() == column.members.len() {
                let names: Vec<String> = column.members.iter().map(|m| quote(m, dialect)).collect();
                let pattern = quoted_pattern(&column.pattern, &names);
                let said = members::columns(&column.pattern, &names);
                let _ = writeln!(text, "({pattern}:{}, {said}),", self.data_type(column));
                continue;
            }
            for name in selected {
                let _ = writeln!(text, "({}),", self.m_column(name, column));
            }
        }
        text.push_str("]\n");
        for key in &table.foreign_keys {
            if key.columns.len() > 1 && key.columns.iter().all(|name| self.wanted(name)) {
                let list = |names: &[String]| names.iter().map(|n| quote(n, dialect)).collect::<Vec<_>>().join(", ");
                let target = table_ref(&key.ref_table, dialect);
                let _ = writeln!(text, "# ({}) refers to {target}({})", list(&key.columns), list(&key.ref_columns));
            }
        }
        text
    }

    fn m_column(&self, name: &str, column: &CompressedColumn) -> String {
        let dialect = self.table.dialect;
        let table = &self.table.representative;
        let mut parts = vec![format!("{}:{}", quote(name, dialect), self.data_type(column))];
        parts.extend(self.comment(column));
        if table.primary_key.iter().any(|key| key.eq_ignore_ascii_case(name)) {
            parts.push("Primary Key".to_owned());
        }
        for key in &table.foreign_keys {
            if let ([own], [other]) = (&key.columns[..], &key.ref_columns[..])
                && own.eq_ignore_ascii_case(name)
            {
                parts.push(format!("refers to {}({})", table_ref(&key.ref_table, dialect), quote(other, dialect)));
            }
        }
        let Some(known) = self.profile.and_then(|profile| profile.column(name)) else { return parts.join(", ") };
        if known.kind == SemanticKind::Nested {
            parts.extend(super::notes::values(known, &column.column, self.options));
            return parts.join(", ");
        }
        let mut examples: Vec<&String> = Vec::new();
        let ends = [&known.min, &known.max].into_iter().flatten();
        for value in known.top.iter().map(|(value, _)| value).chain(&known.samples).chain(ends) {
            if !examples.contains(&value) {
                examples.push(value);
            }
        }
        let as_text = stored_as_text(&column.column);
        let most = EXAMPLES.min(self.options.samples);
        let shown: Vec<String> = examples.into_iter().take(most).map(|value| literal(value, as_text)).collect();
        if !shown.is_empty() {
            parts.push(format!("Examples: [{}]", shown.join(", ")));
        }
        parts.join(", ")
    }
}
