//! Names and parameters of methods in settings and logs. The methods themselves are in the crate that executes them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use specta::Type;
use std::collections::BTreeMap;

/// The id of a method in kebab case: `chase-sql`. Logs and settings contain it, so it never changes. A log may name a
/// method that no longer exists; user input is checked against the existing methods.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(transparent)]
pub struct MethodName(String);

impl MethodName {
    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for MethodName {
    /// Returns the default method, `auto`.
    fn default() -> Self {
        Self::from("auto")
    }
}

impl From<&str> for MethodName {
    fn from(id: &str) -> Self {
        Self(id.to_owned())
    }
}

impl std::fmt::Display for MethodName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Parameters of methods, by method name and key: `{"chase-sql": {"fixes": 3}}`. Missing parameters have the defaults
/// of the method's description. The order is preserved, so that logs stay reproducible.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(transparent)]
pub struct MethodSettings(#[specta(type = BTreeMap<String, BTreeMap<String, ParameterValue>>)] Map<String, Value>);

impl MethodSettings {
    /// Returns the value of a parameter, if it is set.
    pub fn get(&self, method: &str, key: &str) -> Option<&Value> {
        self.0.get(method)?.get(key)
    }

    /// Sets a parameter without checking that it exists.
    pub fn insert(&mut self, method: &str, key: &str, value: Value) {
        let parameters = self.0.entry(method).or_insert_with(|| Value::Object(Map::new()));
        match parameters {
            Value::Object(parameters) => drop(parameters.insert(key.to_owned(), value)),
            other => *other = Value::Object(Map::from_iter([(key.to_owned(), value)])),
        }
    }

    /// Iterates over the methods with their parameters, which are an object if they are valid.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(method, parameters)| (method.as_str(), parameters))
    }
}

impl FromIterator<(String, Value)> for MethodSettings {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(methods: I) -> Self {
        Self(methods.into_iter().collect())
    }
}

/// The value of a parameter: `null`, a number or a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(untagged)]
pub enum ParameterValue {
    /// Determined by the size of the model or of the schema.
    Auto,
    /// A value that is an integer.
    Number(#[specta(type = f64)] u64),
    /// One of the parameter's choices.
    Word(&'static str),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_keep_their_form_and_their_order() {
        let text = r#"{"reforce":{"votes":8,"explore":"tie"},"chase-sql":{"candidates":null}}"#;
        let mut settings: MethodSettings = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&settings).unwrap(), text);
        assert_eq!(settings.get("reforce", "votes"), Some(&Value::from(8)));
        settings.insert("chase-sql", "candidates", 3.into());
        settings.insert("prospy", "views", 2.into());
        let changed = r#"{"reforce":{"votes":8,"explore":"tie"},"chase-sql":{"candidates":3},"prospy":{"views":2}}"#;
        assert_eq!(serde_json::to_string(&settings).unwrap(), changed);
    }
}
