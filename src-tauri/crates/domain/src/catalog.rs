//! The catalog of a database: tables, columns, keys and comments as read at one time.

use crate::Dialect;
use serde::{Deserialize, Serialize};
use specta::Type;
use std::fmt;

/// The tables of a database as read at one time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Catalog {
    /// The display name of the database.
    pub database: String,
    /// The SQL dialect of the database.
    pub dialect: Dialect,
    /// Schemas of the tables whose names here have no schema, in search order. In engines with three-part table names,
    /// the schema is followed by its database. A query may still write these qualifiers. Empty if the dialect always
    /// has the same default schemas.
    #[serde(default)]
    pub search_path: Vec<String>,
    /// User-defined functions that a query could call implicitly, such as by a cast or by a name of a built-in
    /// function, and that may have side effects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own_functions: Vec<OwnFunction>,
    /// A hash of tables, columns, keys, comments and (if cheap to detect) data; 32 hexadecimal digits.
    pub fingerprint: String,
    /// All readable tables and views, ordered by schema, then in the engine's order.
    pub tables: Vec<Table>,
}

impl Catalog {
    /// Returns a copy without tables.
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

    /// Finds a table by its name in a query (`t`, `s.t` or `c.s.t`), ignoring case.
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

    /// Returns the number of columns of all tables.
    pub fn column_count(&self) -> usize {
        self.tables.iter().map(|t| t.columns.len()).sum()
    }
}

/// A user-defined function of the database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OwnFunction {
    /// Unqualified name in lower case.
    pub name: String,
    /// True if the function can be called on a row like a column: `t.name`.
    pub on_rows: bool,
}

/// A table name with the qualifiers that a query needs. The default schema is omitted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TableName {
    /// The database, for engines that join across databases.
    pub catalog: Option<String>,
    /// The schema; `None` for the default schema.
    pub schema: Option<String>,
    /// The unqualified name of the table.
    pub name: String,
}

impl TableName {
    /// Creates the name of a table in the default schema.
    pub fn from_unqualified(name: impl Into<String>) -> Self {
        Self { catalog: None, schema: None, name: name.into() }
    }

    /// Returns the parts that are present, outermost first.
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

/// The kind of a table: stored or computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum TableKind {
    /// A table with stored rows.
    Table,
    /// A view, whose rows a query computes.
    View,
}

/// A table or view of a catalog.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Table {
    /// The table's name as queries write it.
    pub name: TableName,
    /// The kind: table or view.
    pub kind: TableKind,
    /// The comment that the database stores for the table; untrusted text.
    pub comment: Option<String>,
    /// Number of rows; `None` if it is expensive to determine.
    #[specta(type = Option<f64>)]
    pub row_count: Option<u64>,
    /// The columns in the order of the table.
    pub columns: Vec<Column>,
    /// Column names of the primary key, in key order.
    pub primary_key: Vec<String>,
    /// Column sets that are unique besides the primary key, from UNIQUE constraints and unique indexes without a
    /// condition.
    #[serde(default)]
    pub unique_keys: Vec<Vec<String>>,
    /// Foreign keys that the database declares.
    pub foreign_keys: Vec<ForeignKey>,
    /// The query that defines a view, if the engine provides it; untrusted text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
}

impl Table {
    /// Returns the label for users: a short comment, or the name as words.
    pub fn display_label(&self) -> String {
        format_label(self.comment.as_deref(), &self.name.name)
    }

    /// Finds a column by name, ignoring case.
    pub fn find_column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|c| c.name.eq_ignore_ascii_case(name))
    }

    /// Returns true if the column alone is a declared unique or primary key.
    pub fn is_unique(&self, column: &str) -> bool {
        let keys = self.unique_keys.iter().chain([&self.primary_key]);
        keys.into_iter().any(|key| matches!(key.as_slice(), [own] if own.eq_ignore_ascii_case(column)))
    }
}

impl Column {
    /// Returns the label for users: a short comment, or the name as words.
    pub fn display_label(&self) -> String {
        format_label(self.comment.as_deref(), &self.name)
    }
}

/// Maximum length of a comment that is used as a label, in characters and in words.
const LONGEST_LABEL: (usize, usize) = (32, 4);

/// Returns the comment if it is short enough for a label, otherwise the name as words.
fn format_label(comment: Option<&str>, name: &str) -> String {
    let (letters, words) = LONGEST_LABEL;
    let is_name = |text: &&str| {
        let plain = text.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '’'));
        !text.is_empty() && plain && text.chars().count() <= letters && text.split_whitespace().count() <= words
    };
    let named = || name.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    comment.map(str::trim).filter(is_name).map_or_else(named, str::to_owned)
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Column {
    /// The column's name as stored.
    pub name: String,
    /// The type as declared in the engine, e.g. `DECIMAL(10,2)`; may be empty in SQLite.
    pub data_type: String,
    /// True if the column may contain NULL.
    pub nullable: bool,
    /// The comment that the database stores for the column; untrusted text.
    pub comment: Option<String>,
}

/// A foreign key that the database declares.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ForeignKey {
    /// Referencing columns, in key order.
    pub columns: Vec<String>,
    /// The table that the key references.
    pub ref_table: TableName,
    /// Referenced columns, paired with `columns`; the key of the referenced table if the declaration names none.
    pub ref_columns: Vec<String>,
}
