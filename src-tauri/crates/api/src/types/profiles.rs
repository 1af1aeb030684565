//! Model profiles for front ends.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{ModelId, ModelProfile, ProfileFacts};

/// The source of a property in a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ProfileSource {
    /// A default that applies until another source gives a value.
    Assumed,
    /// Vitrine, because it runs the model on this computer.
    Run,
    /// Derived as a share of the context.
    Derived,
    /// The table of known models, or the model's own file.
    Declared,
    /// A test of the model.
    Probed,
    /// Set by the user for this model.
    Said,
}

/// A property in a model's profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProfileLine {
    /// Name of the property, as in `ProfileFacts`.
    pub name: String,
    /// Value in the form in which it is set; empty if there is none.
    pub value: String,
    /// Source that provides the value.
    pub source: ProfileSource,
}

/// The profile of a model with its sources.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelProfileInfo {
    /// Id of the model that the profile describes.
    pub id: ModelId,
    /// The resulting profile, from all sources together.
    pub profile: ModelProfile,
    /// Properties of the profile, each with its source.
    pub lines: Vec<ProfileLine>,
    /// Properties from the table of known models, or from the model's file.
    pub declared: ProfileFacts,
    /// Date on which the table's sources were read.
    pub declared_on: String,
    /// Properties that tests of the model found.
    pub probed: ProfileFacts,
    /// Date of the tests; `None` without tests.
    pub probed_on: Option<String>,
    /// Properties that the user set.
    pub said: ProfileFacts,
}

/// A property that a test examined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProfileFinding {
    /// Name of the property, as in `ProfileFacts`.
    pub name: String,
    /// Value that the test found; `None` if it could not be determined.
    pub found: Option<String>,
    /// Declared value; `None` if there is none.
    pub declared: Option<String>,
    /// Description of the method, or the reason for a missing value.
    pub how: String,
}

/// The result of testing a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelTest {
    /// Summary of the test in a sentence.
    pub said: String,
    /// Tested properties with their outcomes.
    pub findings: Vec<ProfileFinding>,
    /// The model's profile after the test.
    pub profile: ModelProfileInfo,
}
