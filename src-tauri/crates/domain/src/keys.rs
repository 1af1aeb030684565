//! Inferred keys: keys that are not declared but derived from the data and the names of a database.

use crate::TableName;
use serde::{Deserialize, Serialize};
use specta::Type;

/// The columns that a foreign key references.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct KeyReference {
    /// The table that the key references.
    pub table: TableName,
    /// The referenced columns, paired with the columns of the key.
    pub columns: Vec<String>,
}

/// A key that is not declared: a primary key, or, with a reference, a foreign key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InferredKey {
    /// The table that has the key.
    pub table: TableName,
    /// The columns of the key.
    pub columns: Vec<String>,
    /// The reference of a foreign key; `None` for a primary key.
    pub references: Option<KeyReference>,
    /// Estimated confidence, from 0 to 1.
    pub confidence: f64,
    /// The reason in one sentence for users.
    pub reason: String,
}

impl InferredKey {
    /// Returns the id that users and commands use: `customers(id)`, or `orders(customer_id) -> customers(id)`.
    pub fn id(&self) -> String {
        let own = primary_id(&self.table, &self.columns);
        match &self.references {
            None => own,
            Some(to) => format!("{own} -> {}", primary_id(&to.table, &to.columns)),
        }
    }
}

/// Returns the id of a primary key.
pub fn primary_id(table: &TableName, columns: &[String]) -> String {
    format!("{table}({})", columns.join(", "))
}

/// All keys inferred for a database.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InferredKeys {
    /// The fingerprint of the catalog that they were inferred for.
    pub fingerprint: String,
    /// The keys, ordered by table, a primary key before the foreign keys.
    pub keys: Vec<InferredKey>,
    /// True if all tables were examined; false if the time ran out.
    pub complete: bool,
}

/// The user's decision about an inferred key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum KeyDecision {
    /// It is a key, even if later data contradict it.
    Confirmed,
    /// It is not a key.
    Struck,
}

/// An inferred key with the user's decision about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DecidedKey {
    /// The key at the time of the decision.
    pub key: InferredKey,
    /// The decision of the user.
    pub decision: KeyDecision,
}
