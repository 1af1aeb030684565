//! What a database holds, as read at one time.

use crate::Dialect;
use serde::{Deserialize, Serialize};
use specta::Type;
use std::fmt;

/// The tables of one database as read at one time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Catalog {
    /// The database's own name, for people.
    pub database: String,
    /// The dialect that its SQL is written in.
    pub dialect: Dialect,
    /// Schemas of tables whose names here have none, the one that is looked through first first, and behind a schema the
    /// database that holds it where names of tables have three parts. A query may name them all the same. Empty where the
    /// dialect always has the same ones.
    #[serde(default)]
    pub search_path: Vec<String>,
    /// Functions of the database's own that a query could call without naming them as such, and that may do more than compute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own_functions: Vec<OwnFunction>,
    /// Changes when tables, columns, keys, comments or (where cheap to know) data change; 32 hex digits.
    pub fingerprint: String,
    /// All readable tables and views, in a stable order (by schema, then as the engine lists them).
    pub tables: Vec<Table>,
}

impl Catalog {
    /// The same without its tables.
    pub fn without_tables(&self) -> Self {
        Self {
            database: self.database.clone(),
            dialect: self.dialect,
            search_path: self.search_path.clone(),
            own_functions: self.own_functions.clone(),
            fingerprint: self.fingerprint.clone(),
            tables: Vec::new(),
        }
    }

    /// Finds a table by the name as a query would write it: `t`, `s.t` or `c.s.t`, without regard to case.
    pub fn find_table(&self, name: &str) -> Option<&Table> {
        self.tables
            .iter()
            .find(|t| t.name.to_string().eq_ignore_ascii_case(name))
            .or_else(|| self.tables.iter().find(|t| t.name.name.eq_ignore_ascii_case(name)))
            .or_else(|| {
                let suffix = format!(".{}", name.to_ascii_lowercase());
                self.tables.iter().find(|t| t.name.to_string().to_ascii_lowercase().ends_with(&suffix))
            })
    }

    /// The number of columns over all tables.
    pub fn column_count(&self) -> usize {
        self.tables.iter().map(|t| t.columns.len()).sum()
    }
}

/// A function that the database's owner wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OwnFunction {
    /// Its name without a schema, in lower case.
    pub name: String,
    /// Whether it can be called on a row as if it were a column: `t.name`.
    pub on_rows: bool,
}

/// A table's name with as many qualifiers as a query needs. The default schema of a database is left out.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TableName {
    /// The database in engines that join across databases.
    pub catalog: Option<String>,
    /// The schema, unless it is the default one.
    pub schema: Option<String>,
    /// The table itself.
    pub name: String,
}

impl TableName {
    /// A table of the default schema.
    pub fn from_unqualified(name: impl Into<String>) -> Self {
        Self { catalog: None, schema: None, name: name.into() }
    }

    /// The parts that are present, outermost first.
    pub fn name_parts(&self) -> impl Iterator<Item = &str> {
        [self.catalog.as_deref(), self.schema.as_deref(), Some(self.name.as_str())].into_iter().flatten()
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, part) in self.name_parts().enumerate() {
            if i > 0 {
                f.write_str(".")?;
            }
            f.write_str(part)?;
        }
        Ok(())
    }
}

/// Whether rows are stored or computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum TableKind {
    /// Rows are stored.
    Table,
    /// Rows are computed by a query.
    View,
}

/// One table or view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Table {
    /// Its name as queries write it.
    pub name: TableName,
    /// Stored or computed.
    pub kind: TableKind,
    /// The owner's comment, untrusted text.
    pub comment: Option<String>,
    /// The number of rows when it is cheap to know.
    #[specta(type = Option<f64>)]
    pub row_count: Option<u64>,
    /// Columns in the table's own order.
    pub columns: Vec<Column>,
    /// Names of the primary key's columns, in key order.
    pub primary_key: Vec<String>,
    /// Columns of which no two rows have the same values, besides the primary key: UNIQUE constraints and whole unique
    /// indexes.
    #[serde(default)]
    pub unique_keys: Vec<Vec<String>>,
    /// Declared foreign keys.
    pub foreign_keys: Vec<ForeignKey>,
    /// The query that a view is defined by, where the engine gives it; untrusted text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
}

impl Table {
    /// What it is called on screen.
    pub fn display_label(&self) -> String {
        format_label(self.comment.as_deref(), &self.name.name)
    }

    /// Finds a column without regard to case.
    pub fn find_column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|c| c.name.eq_ignore_ascii_case(name))
    }

    /// Whether no two rows have the same value of a column, as declared.
    pub fn is_unique(&self, column: &str) -> bool {
        let keys = self.unique_keys.iter().chain([&self.primary_key]);
        keys.into_iter().any(|key| matches!(key.as_slice(), [own] if own.eq_ignore_ascii_case(column)))
    }
}

impl Column {
    /// What it is called on screen.
    pub fn display_label(&self) -> String {
        format_label(self.comment.as_deref(), &self.name)
    }
}

/// The longest comment that is a name and not a description, in letters and in words.
const LONGEST_LABEL: (usize, usize) = (32, 4);

/// A short comment, else the name as words.
fn format_label(comment: Option<&str>, name: &str) -> String {
    let (letters, words) = LONGEST_LABEL;
    let is_name = |text: &&str| {
        let plain = text.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '’'));
        !text.is_empty() && plain && text.chars().count() <= letters && text.split_whitespace().count() <= words
    };
    let named = || name.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    comment.map(str::trim).filter(is_name).map_or_else(named, str::to_owned)
}

/// One column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Column {
    /// Its name as stored.
    pub name: String,
    /// The type as the engine declares it, e.g. `DECIMAL(10,2)`; may be empty in SQLite.
    pub data_type: String,
    /// Whether NULL is allowed.
    pub nullable: bool,
    /// The owner's comment, untrusted text.
    pub comment: Option<String>,
}

/// A declared foreign key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ForeignKey {
    /// Referencing columns.
    pub columns: Vec<String>,
    /// Referenced table.
    pub ref_table: TableName,
    /// Referenced columns, paired with `columns`; the other table's key where the reference names none.
    pub ref_columns: Vec<String>,
}
