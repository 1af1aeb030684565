//! How a method describes itself. Which methods exist is known to the crate that runs them.

use crate::methods::ParameterValue;
use crate::question::Switch;
use crate::stage_kind::StageKind;
use serde::{Serialize, Serializer};
use serde_json::Value;
use specta::Type;
use vitrine_words::tr;

/// A method as it describes itself. The command line's help, the settings page and every other list of methods are made
/// from these.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MethodInfo {
    /// Its id, a [`MethodName`].
    pub name: &'static str,
    /// Its name for users: `CHASE-SQL`.
    pub label: &'static str,
    /// Its name in lists for everybody, where it is one of the few that suit everyday questions: `Fast`.
    pub everyday: Option<&'static str>,
    /// What it does and costs.
    #[serde(serialize_with = "serialize_translated")]
    #[specta(type = String)]
    pub note: &'static str,
    /// Where lists put it.
    pub group: MethodGroup,
    /// Whether it runs code of a model, for which it needs a sandbox.
    pub runs_code: bool,
    /// Calls of models that a question takes, for estimates before anything was asked.
    pub calls: CallCount,
    /// Its parameters, in the order in which they come to matter.
    pub parameters: &'static [ParameterInfo],
    /// Parts of its own that can be switched off, besides those that methods share.
    pub switches: &'static [Switch],
    /// The stages that a run goes through, in order; one that runs code only where a sandbox is there. Stages that only some
    /// questions need are left out.
    pub stages: &'static [StageInfo],
}

/// A text that is marked for translation where it stands: the window reads it in the language of the program.
fn serialize_translated<S: Serializer>(text: &&'static str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(vitrine_words::translate_constant(text))
}

/// How many calls of models a question takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CallCount {
    /// Of an easy question.
    pub least: u32,
    /// Of a hard one; few take more.
    pub most: u32,
    /// More for each further chunk of the schema.
    pub per_chunk: u32,
}

impl CallCount {
    /// For a schema of one chunk, and for each further one.
    pub const fn new(least: u32, most: u32, per_chunk: u32) -> Self {
        Self { least, most, per_chunk }
    }
}

/// A group of methods, serialized as its heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
pub enum MethodGroup {
    /// Suits most questions.
    #[serde(rename = "Recommended")]
    Recommended,
    /// As a paper describes it.
    #[serde(rename = "Published methods")]
    Published,
    /// One prompt to one agent, without repair.
    #[serde(rename = "Baselines to compare with")]
    Baseline,
}

/// One parameter of a method.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ParameterInfo {
    /// Its name in settings: `--set METHOD.KEY=VALUE`.
    pub key: &'static str,
    /// Its name for users.
    #[serde(serialize_with = "serialize_translated")]
    #[specta(type = String)]
    pub label: &'static str,
    /// What it does, in a sentence.
    #[serde(serialize_with = "serialize_translated")]
    #[specta(type = String)]
    pub help: &'static str,
    /// Its value where nothing is set: the paper's.
    pub default: ParameterValue,
    /// What else it may be.
    pub values: ParameterValues,
}

impl ParameterInfo {
    /// A whole number within bounds.
    pub const fn new_number(key: &'static str, default: u64, least: u64, most: u64) -> Self {
        let values = ParameterValues::Number { least, most, automatic: false };
        Self { key, label: key, help: "", default: ParameterValue::Number(default), values }
    }

    /// A whole number within bounds, by default decided by the size of the model or of the schema.
    pub const fn new_automatic_number(key: &'static str, least: u64, most: u64) -> Self {
        let values = ParameterValues::Number { least, most, automatic: true };
        Self { key, label: key, help: "", default: ParameterValue::Auto, values }
    }

    /// One of a few words, or automatic where that is among the choices.
    pub const fn new_choice(key: &'static str, default: ParameterValue, choices: &'static [ParameterChoice]) -> Self {
        Self { key, label: key, help: "", default, values: ParameterValues::Choice { choices } }
    }

    /// The same with its label and its help.
    pub const fn with_label_and_help(self, label: &'static str, help: &'static str) -> Self {
        Self { label, help, ..self }
    }

    /// Whether it may be automatic.
    pub fn may_be_auto(&self) -> bool {
        match self.values {
            ParameterValues::Number { automatic, .. } => automatic,
            ParameterValues::Choice { choices } => choices.iter().any(|choice| choice.value.is_none()),
        }
    }

    /// Checks a value's bounds. Its type and its words are checked by the method that reads it.
    ///
    /// # Errors
    /// Says the bounds.
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

/// The values that a parameter may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum ParameterValues {
    /// A whole number. The bounds keep a run from growing without end.
    Number {
        /// The least.
        #[specta(type = f64)]
        least: u64,
        /// The most.
        #[specta(type = f64)]
        most: u64,
        /// Whether it may also be automatic.
        automatic: bool,
    },
    /// One of several words.
    Choice {
        /// The words, in the order in which they are offered.
        choices: &'static [ParameterChoice],
    },
}

/// A word that a parameter may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
pub struct ParameterChoice {
    /// The word; `None` is automatic.
    pub value: Option<&'static str>,
    /// Its name for users.
    #[serde(serialize_with = "serialize_translated")]
    #[specta(type = String)]
    pub label: &'static str,
    /// What it does.
    #[serde(serialize_with = "serialize_translated")]
    #[specta(type = String)]
    pub note: &'static str,
}

/// A stage that a run goes through, and when it does.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
pub struct StageInfo {
    /// The kind of its nodes.
    pub kind: StageKind,
    /// Only where this part is not left out.
    pub with: Option<Switch>,
    /// Only where this part is left out.
    pub without: Option<Switch>,
    /// Only where this parameter of the method has this value.
    pub set: Option<(&'static str, &'static str)>,
    /// Only with a model that deliberates.
    pub deliberating: bool,
}

impl StageInfo {
    /// A stage of every run.
    pub const fn for_every_run(kind: StageKind) -> Self {
        Self { kind, with: None, without: None, set: None, deliberating: false }
    }

    /// A stage of runs that do not leave a part out.
    pub const fn when_switch_on(kind: StageKind, part: Switch) -> Self {
        Self { with: Some(part), ..Self::for_every_run(kind) }
    }

    /// A stage of runs that leave a part out.
    pub const fn when_switch_off(kind: StageKind, part: Switch) -> Self {
        Self { without: Some(part), ..Self::for_every_run(kind) }
    }

    /// A stage of runs with a model that deliberates.
    pub const fn when_deliberating(kind: StageKind) -> Self {
        Self { deliberating: true, ..Self::for_every_run(kind) }
    }

    /// A stage of runs in which a parameter has this value.
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
