//! What is known about a model, as front ends see it.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{ModelId, ModelProfile, ProfileFacts};

/// Who says what a line of a profile says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ProfileSource {
    /// Nobody: it is taken for granted until somebody does.
    Assumed,
    /// This program, which runs the model on this computer.
    Run,
    /// It is a share of the context.
    Derived,
    /// The table of known models, or the model's own file.
    Declared,
    /// A test of the model.
    Probed,
    /// The user.
    Said,
}

/// A line of a model's profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProfileLine {
    /// Its name, as `ProfileFacts` has it.
    pub name: String,
    /// What it says, as it is written when it is set; empty where it says nothing.
    pub value: String,
    /// Who says so.
    pub source: ProfileSource,
}

/// What is known about a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelProfileInfo {
    /// The model.
    pub id: ModelId,
    /// What it comes to.
    pub profile: ModelProfile,
    /// The same line by line, with who says so.
    pub lines: Vec<ProfileLine>,
    /// What the table of known models, or its file, says.
    pub declared: ProfileFacts,
    /// The day on which the table's documents were read.
    pub declared_on: String,
    /// What tests found out.
    pub probed: ProfileFacts,
    /// The day on which they did.
    pub probed_on: Option<String>,
    /// What the user says.
    pub said: ProfileFacts,
}

/// A line of a profile as a test found it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProfileFinding {
    /// The line.
    pub name: String,
    /// What was found; `None` where it could not be found out.
    pub found: Option<String>,
    /// What is declared.
    pub declared: Option<String>,
    /// How it was found out, or why not.
    pub how: String,
}

/// What a test of a model found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelTest {
    /// In a sentence.
    pub said: String,
    /// Line by line.
    pub findings: Vec<ProfileFinding>,
    /// What is known about the model now.
    pub profile: ModelProfileInfo,
}
