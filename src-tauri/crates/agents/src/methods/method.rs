//! Description of a method, and reading of its parameters.

use crate::run::context::RunContext;
use crate::run::events::StageError;
use futures::future::LocalBoxFuture;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use vitrine_domain::{AppError, ErrorCode, MethodInfo, MethodName, MethodSettings};
use vitrine_words::tr;

/// A way from the question to the answer: a composition of stages.
#[derive(Debug, Clone, Copy)]
pub struct Method {
    /// Name, description and parameters of the method.
    pub info: MethodInfo,
    /// Parses values as the method's typed parameters and returns them in serialized form: [`normalize_parameters`] of their struct.
    pub(crate) typed: fn(Value) -> serde_json::Result<Value>,
    /// Works on the question of a run, on the thread that drives the run.
    pub(crate) run: for<'a> fn(&'a RunContext) -> LocalBoxFuture<'a, Result<(), StageError>>,
}

/// Parses values as `P` and returns them in the order of its fields.
pub(crate) fn normalize_parameters<P: Serialize + DeserializeOwned>(values: Value) -> serde_json::Result<Value> {
    serde_json::to_value(serde_json::from_value::<P>(values)?)
}

/// Value of [`Method::typed`] for methods without parameters.
pub(crate) fn accept_any_parameters(values: Value) -> serde_json::Result<Value> {
    Ok(values)
}

impl Method {
    /// Returns the name of the method.
    pub fn name(&self) -> MethodName {
        MethodName::from(self.info.name)
    }

    /// Returns the parameters from the settings, with defaults for the others.
    pub(crate) fn parameters<P: DeserializeOwned>(&self, settings: &MethodSettings) -> Result<P, AppError> {
        let unfit = |what: String| {
            AppError::new(ErrorCode::Usage, what).with_hint(tr!("Change it in the settings or with --set"))
        };
        let values = self.parameter_values(settings).map_err(unfit)?;
        serde_json::from_value(values).map_err(|error| unfit(error.to_string()))
    }

    /// Returns the values of all parameters in their parsed form.
    pub(crate) fn parameter_values(&self, settings: &MethodSettings) -> Result<Value, String> {
        let mut values: Map<String, Value> = Map::new();
        for parameter in self.info.parameters {
            let default = serde_json::to_value(parameter.default).map_err(|error| error.to_string())?;
            values.insert(parameter.key.to_owned(), default);
        }
        let mut read = (self.typed)(Value::Object(values.clone())).map_err(|error| error.to_string())?;
        for parameter in self.info.parameters {
            let Some(value) = settings.get(self.info.name, parameter.key) else { continue };
            values.insert(parameter.key.to_owned(), value.clone());
            // Values are added one by one, so that the error names the invalid one.
            read = (self.typed)(Value::Object(values.clone())).map_err(|error| {
                tr!(
                    "{method}.{key} cannot be '{value}': {error}",
                    method = self.info.name,
                    key = parameter.key,
                    value = format_value(value),
                    error
                )
            })?;
        }
        Ok(read)
    }
}

/// Formats a value in the form in which a user writes it.
fn format_value(value: &Value) -> String {
    match value {
        Value::Null => "auto".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
