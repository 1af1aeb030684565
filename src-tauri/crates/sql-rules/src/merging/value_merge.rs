//! Values of a column to be merged, and the category columns of a query.

use vitrine_domain::{Catalog, Definition, DefinitionSource, TableName};
use vitrine_words::{quote_text, tr};

/// Values of a column that have the same meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueMerge {
    /// Table that contains the column.
    pub table: TableName,
    /// Name of the column in the catalog.
    pub column: String,
    /// The value that replaces the others.
    pub kept: String,
    /// The values that are replaced.
    pub others: Vec<String>,
}

/// A column by which a query groups, or whose values it compares with texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category {
    /// Table that contains the column.
    pub table: TableName,
    /// Name of the column in the catalog.
    pub column: String,
    /// True if each of its values forms a separate group.
    pub grouped: bool,
    /// Texts with which the query compares the column.
    pub compared: Vec<String>,
}

impl ValueMerge {
    /// Returns true if a definition merges values for every answer.
    pub fn is_defined_by(definition: &Definition) -> bool {
        let has_condition = definition.condition.as_deref().is_some_and(|text| !text.is_empty());
        definition.always && !has_condition && !definition.synonyms.is_empty()
    }

    /// Parses a definition that merges values.
    ///
    /// # Errors
    /// A sentence with the reason why the definition cannot be applied.
    pub fn from_definition(definition: &Definition, catalog: &Catalog) -> Result<Self, String> {
        let subject = definition.subject.as_deref().unwrap_or_default();
        let column = subject.rsplit_once('.').and_then(|(table, column)| {
            let table = catalog.find_table(table)?;
            Some((table, table.find_column(column)?))
        });
        let Some((table, column)) = column else { return Err(tr!("Column {subject} not found", subject)) };
        let others = definition.synonyms.iter().filter(|other| **other != definition.term).cloned().collect();
        let (table, column, kept) = (table.name.clone(), column.name.clone(), definition.term.clone());
        Ok(Self { table, column, kept, others })
    }

    /// Returns the definition of this merge.
    pub fn definition(&self) -> Definition {
        Definition {
            term: self.kept.clone(),
            synonyms: self.others.clone(),
            meaning: String::new(),
            condition: None,
            always: true,
            subject: Some(format!("{}.{}", self.table, self.column)),
            source: DefinitionSource::User,
        }
    }

    /// Iterates over all values, including the kept one.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.kept).chain(&self.others).map(String::as_str)
    }

    /// Describes the merge: `customers.country: “US”, “USA” and “U.S.” count as one`.
    pub fn describe_merge(&self) -> String {
        let values: Vec<String> = self.values().map(quote_text).collect();
        let (table, column) = (&self.table, &self.column);
        tr!("{table}.{column}: {values} count as one", table, column, values = values.join(", "))
    }
}
