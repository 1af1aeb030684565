//! Types of connections: test results, environments and definitions.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_words::{later, tr};

/// The stages of a connection test, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum TestStage {
    /// Parses the address and finds its host or file.
    Name,
    /// Connects to the SSH host of the tunnel.
    Ssh,
    /// Connects to the host, or opens the file.
    Reach,
    /// Checks that the connection is encrypted and that the certificate belongs to the host.
    Tls,
    /// Authenticates the user with the server.
    Login,
    /// Determines the role of the login on the server.
    Role,
    /// Determines the schemas and tables that the login may read.
    Readable,
    /// Determines the permissions of the login beyond reading.
    Rights,
}

impl TestStage {
    /// Returns the untranslated label for users.
    pub fn english_title(self) -> &'static str {
        match self {
            Self::Name => later!("Name"),
            Self::Ssh => later!("SSH"),
            Self::Reach => later!("Reach"),
            Self::Tls => later!("Encryption"),
            Self::Login => later!("Login"),
            Self::Role => later!("Role"),
            Self::Readable => later!("Readable"),
            Self::Rights => later!("Rights"),
        }
    }
}

/// The state of a test stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum TestState {
    /// The stage has not started.
    Waiting,
    /// The stage is in progress.
    Running,
    /// The stage passed without remarks.
    Ok,
    /// The stage passed with a remark.
    Warning,
    /// The stage failed; later stages are skipped.
    Failed,
    /// The stage was not executed.
    Skipped,
}

/// A stage of a connection test and its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TestStep {
    /// The stage that was tested.
    pub stage: TestStage,
    /// The current state of the stage.
    pub state: TestState,
    /// The result in one sentence; empty before the stage ends.
    pub message: String,
    /// Further details, one line each.
    pub detail: Vec<String>,
    /// A suggestion to fix a problem; `None` if there is nothing to do.
    pub advice: Option<String>,
    /// Elapsed time of the stage in milliseconds.
    pub wall_ms: u32,
}

/// A schema with its number of readable tables and views.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SchemaTables {
    /// The name of the schema.
    pub name: String,
    /// Number of readable tables and views.
    pub tables: u32,
}

/// The state of a connection test, which may be in progress.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionTest {
    /// Every stage that applies to the engine, in order.
    pub steps: Vec<TestStep>,
    /// The readable schemas, once they are known; empty for engines without schemas.
    pub schemas: Vec<SchemaTables>,
    /// True if the server needs a password, or rejected the given one.
    pub password_wanted: bool,
    /// True if the test has ended.
    pub done: bool,
}

impl ConnectionTest {
    /// Returns the stage that failed and ended the test.
    pub fn failed_step(&self) -> Option<&TestStep> {
        self.steps.iter().find(|step| step.state == TestState::Failed)
    }
}

/// The purpose of a connection, such as production. Shown with every question about the connection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Environment {
    /// The name: `production` or another short text.
    pub name: String,
    /// The colour in which the name is shown.
    pub color: EnvironmentColor,
}

/// The colours of environments; each is readable in light and dark themes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum EnvironmentColor {
    /// The default colour of development.
    Green,
    /// The default colour of staging.
    Amber,
    /// The default colour of production.
    Red,
    /// A colour without a default environment.
    Blue,
    /// A colour without a default environment.
    Violet,
    /// The default colour of all other environments.
    Gray,
}

impl EnvironmentColor {
    const ALL: [(&'static str, Self); 6] = [
        ("green", Self::Green),
        ("amber", Self::Amber),
        ("red", Self::Red),
        ("blue", Self::Blue),
        ("violet", Self::Violet),
        ("gray", Self::Gray),
    ];

    /// Returns the name of the colour.
    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(_, color)| *color == self).map_or("gray", |(name, _)| name)
    }
}

impl std::str::FromStr for Environment {
    type Err = String;

    /// Parses a name with an optional colour: `production`, `audit:violet`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, color) = match text.rsplit_once(':') {
            Some((name, color)) => (name.trim(), Some(color.trim())),
            None => (text.trim(), None),
        };
        if name.is_empty() || name.chars().count() > 40 || name.chars().any(char::is_control) {
            return Err(tr!("an environment is a word of up to 40 letters, such as production"));
        }
        let color = match color {
            Some(color) => {
                let known = EnvironmentColor::ALL.iter().find(|(known, _)| known.eq_ignore_ascii_case(color));
                let names = EnvironmentColor::ALL.map(|(name, _)| name).join(", ");
                known
                    .map(|(_, color)| *color)
                    .ok_or_else(|| tr!("unknown colour '{color}': choose {names}", color, names))?
            }
            None => match name.to_lowercase().as_str() {
                "development" => EnvironmentColor::Green,
                "staging" => EnvironmentColor::Amber,
                "production" => EnvironmentColor::Red,
                _ => EnvironmentColor::Gray,
            },
        };
        Ok(Self { name: name.to_owned(), color })
    }
}

/// A business term or rule, with its meaning in this database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Definition {
    /// The term as users write it: `active customer`.
    pub term: String,
    /// Other words for the term.
    pub synonyms: Vec<String>,
    /// The meaning in plain text.
    pub meaning: String,
    /// The meaning as an SQL condition, if there is one.
    pub condition: Option<String>,
    /// True if the condition applies to every query that reads the table `subject`: rows that do not meet it are
    /// excluded, also from queries that a user wrote.
    #[serde(default)]
    pub always: bool,
    /// The table or column that the definition describes, such as `orders.total`, if any.
    pub subject: Option<String>,
    /// The origin of the definition.
    pub source: DefinitionSource,
}

/// The origin of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum DefinitionSource {
    /// The user wrote the definition.
    User,
    /// Imported from a comment in the database.
    Comment,
    /// Imported from a file of dbt.
    Dbt,
}

/// The definitions of a connection, which every question can use.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Definitions {
    /// Plain text that is added to every question.
    pub text: String,
    /// Terms and rules; a question contains only the ones that it uses.
    pub entries: Vec<Definition>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_environment_is_a_word_with_its_usual_colour_or_one_of_choice() {
        let read = |text: &str| text.parse::<Environment>();
        let color = |text: &str| read(text).map(|environment| environment.color.as_str());
        assert_eq!(color("production"), Ok("red"));
        assert_eq!(color("Staging"), Ok("amber"));
        assert_eq!(color("audit"), Ok("gray"));
        assert_eq!(color("audit : Violet"), Ok("violet"));
        assert_eq!(read("Berlin:blue").unwrap().name, "Berlin");
        assert!(read("audit:pink").unwrap_err().contains("violet"));
        assert!(read(" ").is_err() && read(":red").is_err());
    }
}
