//! Values of a column that count as one, and the columns of categories that a query uses.

use vitrine_domain::{Catalog, Definition, DefinitionSource, TableName};
use vitrine_words::{quote_text, tr};

/// Values of a column that count as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueMerge {
    /// The column's table.
    pub table: TableName,
    /// The column, as the catalog writes it.
    pub column: String,
    /// The value that stands for all of them.
    pub kept: String,
    /// The others.
    pub others: Vec<String>,
}

/// A column by which a query groups, or whose values it compares with texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category {
    /// The column's table.
    pub table: TableName,
    /// The column, as the catalog writes it.
    pub column: String,
    /// Whether each of its values has a group of its own.
    pub grouped: bool,
    /// Texts that it is compared with.
    pub compared: Vec<String>,
}

impl ValueMerge {
    /// Whether a definition says that values count as one, for every answer.
    pub fn is_defined_by(definition: &Definition) -> bool {
        let has_condition = definition.condition.as_deref().is_some_and(|text| !text.is_empty());
        definition.always && !has_condition && !definition.synonyms.is_empty()
    }

    /// Reads a definition that says so.
    ///
    /// # Errors
    /// Why it cannot be kept to, as a sentence.
    pub fn from_definition(definition: &Definition, catalog: &Catalog) -> Result<Self, String> {
        let subject = definition.subject.as_deref().unwrap_or_default();
        let column = subject.rsplit_once('.').and_then(|(table, column)| {
            let table = catalog.find_table(table)?;
            Some((table, table.find_column(column)?))
        });
        let Some((table, column)) = column else { return Err(tr!("There is no column {subject}", subject)) };
        let others = definition.synonyms.iter().filter(|other| **other != definition.term).cloned().collect();
        let (table, column, kept) = (table.name.clone(), column.name.clone(), definition.term.clone());
        Ok(Self { table, column, kept, others })
    }

    /// The definition that says so.
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

    /// All values.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.kept).chain(&self.others).map(String::as_str)
    }

    /// `customers.country: “US”, “USA” and “U.S.” count as one`
    pub fn describe_merge(&self) -> String {
        let values: Vec<String> = self.values().map(quote_text).collect();
        let (table, column) = (&self.table, &self.column);
        tr!("{table}.{column}: {values} count as one", table, column, values = values.join(", "))
    }
}
