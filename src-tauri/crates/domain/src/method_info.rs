//! Descriptions of methods. The methods themselves are in the crate that executes them.

use crate::methods::ParameterValue;
use crate::question::Switch;
use crate::stage_kind::StageKind;
use serde::{Serialize, Serializer};
use serde_json::Value;
use specta::Type;
use vitrine_words::tr;

/// The description of a method. The help of the command line, the settings page and all lists of methods are generated
/// from it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MethodInfo {
    /// The id of the method, a [`MethodName`].
    pub name: &'static str,
    /// The name for users: `CHASE-SQL`.
    pub label: &'static str,
    /// The name in simplified lists, for the few methods that suit everyday questions: `Fast`.
    pub everyday: Option<&'static str>,
    /// A description of the method and its cost.
    #[serde(serialize_with = "serialize_translated")]
    #[specta(type = String)]
    pub note: &'static str,
    /// The group in lists of methods.
    pub group: MethodGroup,
    /// True if the method runs code written by a model, which requires a sandbox.
    pub runs_code: bool,
    /// Number of model calls per question, for estimates without earlier runs.
    pub calls: CallCount,
    /// The parameters, the most important first. `--set METHOD=strict` gives them the paper's values.
    pub parameters: &'static [ParameterInfo],
    /// Switches of this method, besides the ones that methods share.
    pub switches: &'static [Switch],
    /// The stages of a run in order. Stages that only some questions need are omitted, and stages that run code need a
    /// sandbox.
    pub stages: &'static [StageInfo],
}

/// Serializes a text that is marked for translation in the language of the interface.
fn serialize_translated<S: Serializer>(text: &&'static str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(vitrine_words::translate_constant(text))
}

/// Estimated number of model calls per question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CallCount {
    /// Number of calls for an easy question.
    pub least: u32,
    /// Number of calls for a difficult question; few questions take more.
    pub most: u32,
    /// Number of additional calls for each chunk after the first.
    pub per_chunk: u32,
}

impl CallCount {
    /// Creates the counts for one chunk, and for each further chunk.
    pub const fn new(least: u32, most: u32, per_chunk: u32) -> Self {
        Self { least, most, per_chunk }
    }
}

/// A group of methods, serialized as its heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
pub enum MethodGroup {
    /// Methods that suit most questions.
    #[serde(rename = "Recommended")]
    Recommended,
    /// Methods as described in a paper.
    #[serde(rename = "Published methods")]
    Published,
    /// Baselines: one prompt to one agent, without repair.
    #[serde(rename = "Baselines to compare with")]
    Baseline,
}

/// A parameter of a method.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ParameterInfo {
    /// The key in settings: `--set METHOD.KEY=VALUE`.
    pub key: &'static str,
    /// The label of the parameter for users.
    #[serde(serialize_with = "serialize_translated")]
    #[specta(type = String)]
    pub label: &'static str,
    /// A description in one sentence.
    #[serde(serialize_with = "serialize_translated")]
    #[specta(type = String)]
    pub help: &'static str,
    /// The value without a setting of the user.
    pub default: ParameterValue,
    /// The paper's value, where the default differs.
    pub paper: Option<ParameterValue>,
    /// The values that it accepts.
    pub values: ParameterValues,
}

impl ParameterInfo {
    /// Creates an integer parameter with bounds.
    pub const fn new_number(key: &'static str, default: u64, least: u64, most: u64) -> Self {
        let values = ParameterValues::Number { least, most, automatic: false };
        Self { key, label: key, help: "", default: ParameterValue::Number(default), paper: None, values }
    }

    /// Creates an integer parameter with bounds, whose default depends on the size of the model or of the schema.
    pub const fn new_automatic_number(key: &'static str, least: u64, most: u64) -> Self {
        let values = ParameterValues::Number { least, most, automatic: true };
        Self { key, label: key, help: "", default: ParameterValue::Auto, paper: None, values }
    }

    /// Creates a parameter with fixed choices, which may include the automatic value.
    pub const fn new_choice(key: &'static str, default: ParameterValue, choices: &'static [ParameterChoice]) -> Self {
        Self { key, label: key, help: "", default, paper: None, values: ParameterValues::Choice { choices } }
    }

    /// Sets the label and the help text.
    pub const fn with_label_and_help(self, label: &'static str, help: &'static str) -> Self {
        Self { label, help, ..self }
    }

    /// Sets the paper's value, where the default differs.
    pub const fn with_paper_value(self, value: ParameterValue) -> Self {
        Self { paper: Some(value), ..self }
    }

    /// Returns the value of the preset `--set METHOD=strict`: the paper's.
    pub fn strict_value(&self) -> ParameterValue {
        self.paper.unwrap_or(self.default)
    }

    /// Returns true if the automatic value is accepted.
    pub fn may_be_auto(&self) -> bool {
        match self.values {
            ParameterValues::Number { automatic, .. } => automatic,
            ParameterValues::Choice { choices } => choices.iter().any(|choice| choice.value.is_none()),
        }
    }

    /// Checks the bounds of a value. The method that reads the value checks its type and its choices.
    ///
    /// # Errors
    /// Returns a message with the bounds.
    pub fn check_value(&self, method: &str, value: &Value) -> Result<(), String> {
        match (self.values, value.as_u64()) {
            (ParameterValues::Number { least, most, .. }, Some(number)) if !(least..=most).contains(&number) => {
                Err(tr!(
                    "{method}.{key} cannot be {number}: choose {least} to {most}",
                    method,
                    key = self.key,
                    number,
                    least,
                    most
                ))
            }
            _ => Ok(()),
        }
    }
}

/// The values that a parameter accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum ParameterValues {
    /// An integer. The bounds limit the cost of a run.
    Number {
        /// The minimum value of the parameter, inclusive.
        #[specta(type = f64)]
        least: u64,
        /// The maximum value of the parameter, inclusive.
        #[specta(type = f64)]
        most: u64,
        /// True if the automatic value is accepted, too.
        automatic: bool,
    },
    /// One of a fixed set of words.
    Choice {
        /// The choices in display order.
        choices: &'static [ParameterChoice],
    },
}

/// A choice of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
pub struct ParameterChoice {
    /// The word in settings; `None` is the automatic value.
    pub value: Option<&'static str>,
    /// The label of the choice for users.
    #[serde(serialize_with = "serialize_translated")]
    #[specta(type = String)]
    pub label: &'static str,
    /// A description of the choice.
    #[serde(serialize_with = "serialize_translated")]
    #[specta(type = String)]
    pub note: &'static str,
}

/// A stage of a run, with the conditions under which it is executed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
pub struct StageInfo {
    /// The kind of its nodes.
    pub kind: StageKind,
    /// The stage is executed only if this switch is on.
    pub with: Option<Switch>,
    /// The stage is executed only if this switch is off.
    pub without: Option<Switch>,
    /// The stage is executed only if this parameter has this value.
    pub set: Option<(&'static str, &'static str)>,
    /// True if the stage is executed only for models that deliberate.
    pub deliberating: bool,
}

impl StageInfo {
    /// Creates a stage that every run executes.
    pub const fn for_every_run(kind: StageKind) -> Self {
        Self { kind, with: None, without: None, set: None, deliberating: false }
    }

    /// Creates a stage that is executed if the switch is on.
    pub const fn when_switch_on(kind: StageKind, part: Switch) -> Self {
        Self { with: Some(part), ..Self::for_every_run(kind) }
    }

    /// Creates a stage that is executed if the switch is off.
    pub const fn when_switch_off(kind: StageKind, part: Switch) -> Self {
        Self { without: Some(part), ..Self::for_every_run(kind) }
    }

    /// Creates a stage that is executed for models that deliberate.
    pub const fn when_deliberating(kind: StageKind) -> Self {
        Self { deliberating: true, ..Self::for_every_run(kind) }
    }

    /// Creates a stage that is executed if a parameter has this value.
    pub const fn when_parameter_is(kind: StageKind, key: &'static str, value: &'static str) -> Self {
        Self { set: Some((key, value)), ..Self::for_every_run(kind) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_said() {
        let votes = ParameterInfo::new_number("votes", 8, 1, 64);
        assert_eq!(
            votes.check_value("vote", &1000.into()),
            Err("vote.votes cannot be 1000: choose 1 to 64".to_owned())
        );
        assert_eq!((votes.check_value("vote", &64.into()), votes.check_value("vote", &Value::Null)), (Ok(()), Ok(())));
    }
}
