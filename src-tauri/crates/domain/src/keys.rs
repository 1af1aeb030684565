//! Keys that nobody declared: what the data and the names of a database say that its keys are.

use crate::TableName;
use serde::{Deserialize, Serialize};
use specta::Type;

/// The columns that a foreign key refers to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct KeyReference {
    /// The referenced table.
    pub table: TableName,
    /// The referenced columns, paired with the key's own.
    pub columns: Vec<String>,
}

/// A key that is not declared: a primary key, or, with a reference, a foreign key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InferredKey {
    /// The table that has the key.
    pub table: TableName,
    /// The key's columns.
    pub columns: Vec<String>,
    /// What a foreign key refers to; none for a primary key.
    pub references: Option<KeyReference>,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// Why, in one sentence for people.
    pub reason: String,
}

impl InferredKey {
    /// The key as people and commands name it: `customers(id)`, or `orders(customer_id) -> customers(id)`.
    pub fn id(&self) -> String {
        let own = primary_id(&self.table, &self.columns);
        match &self.references {
            None => own,
            Some(to) => format!("{own} -> {}", primary_id(&to.table, &to.columns)),
        }
    }
}

/// The id of a primary key.
pub fn primary_id(table: &TableName, columns: &[String]) -> String {
    format!("{table}({})", columns.join(", "))
}

/// All keys inferred for a database.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InferredKeys {
    /// The fingerprint of the catalog that they were inferred for.
    pub fingerprint: String,
    /// The keys: by table, a primary key before the foreign ones.
    pub keys: Vec<InferredKey>,
    /// Whether everything was looked at; not so when the time ran out.
    pub complete: bool,
}

/// What a person says about an inferred key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum KeyDecision {
    /// It is a key, whatever the data say later.
    Confirmed,
    /// It is not a key.
    Struck,
}

/// An inferred key that a person has decided on, as it was then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DecidedKey {
    /// The key.
    pub key: InferredKey,
    /// What the person says.
    pub decision: KeyDecision,
}
