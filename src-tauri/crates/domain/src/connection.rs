//! Connections as everybody speaks of them: what a test of one found, and what an environment is.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_words::{later, tr};

/// What a test of a connection looks at, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum TestStage {
    /// The address is understood, and its host or file is found.
    Name,
    /// The machine between lets this user through by SSH.
    Ssh,
    /// The host answers, or the file opens.
    Reach,
    /// The connection is encrypted, and the certificate is that of the host.
    Tls,
    /// The server lets this login in.
    Login,
    /// Who this login is to the server.
    Role,
    /// What this login may read.
    Readable,
    /// What this login may do besides reading.
    Rights,
}

impl TestStage {
    /// Its name for people, in English.
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

/// How a stage stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum TestState {
    /// Not begun.
    Waiting,
    /// At work.
    Running,
    /// As it should be.
    Ok,
    /// It works, and something about it is worth knowing.
    Warning,
    /// It does not work; later stages are skipped.
    Failed,
    /// Not looked at.
    Skipped,
}

/// One stage of a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TestStep {
    /// What is looked at.
    pub stage: TestStage,
    /// How it stands.
    pub state: TestState,
    /// What was found, one sentence; empty before.
    pub message: String,
    /// More of it, a line each.
    pub detail: Vec<String>,
    /// What to do next, where there is something to do.
    pub advice: Option<String>,
    /// Milliseconds that it took.
    pub wall_ms: u32,
}

/// A schema, and how many of its tables and views can be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SchemaTables {
    /// The schema.
    pub name: String,
    /// How many.
    pub tables: u32,
}

/// A test of a connection as far as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionTest {
    /// Every stage that the kind of database has, in order.
    pub steps: Vec<TestStep>,
    /// The schemas that can be read, once that is known; none where the kind of database has none.
    pub schemas: Vec<SchemaTables>,
    /// Whether the server wants a password, or another one.
    pub password_wanted: bool,
    /// Whether nothing more will change.
    pub done: bool,
}

impl ConnectionTest {
    /// The stage where it ended early.
    pub fn failed_step(&self) -> Option<&TestStep> {
        self.steps.iter().find(|step| step.state == TestState::Failed)
    }
}

/// What a connection is for, in a word and a colour, shown wherever a question is asked of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Environment {
    /// `production`, or any other word.
    pub name: String,
    /// Its colour.
    pub color: EnvironmentColor,
}

/// The colours to choose from; each is readable in light and dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum EnvironmentColor {
    /// Usual for development.
    Green,
    /// Usual for staging.
    Amber,
    /// Usual for production.
    Red,
    /// Free.
    Blue,
    /// Free.
    Violet,
    /// Free.
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

    /// Its name.
    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(_, color)| *color == self).map_or("gray", |(name, _)| name)
    }
}

impl std::str::FromStr for Environment {
    type Err = String;

    /// `production`, or a word and a colour: `audit:violet`.
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
                    .ok_or_else(|| tr!("there is no colour '{color}': choose {names}", color, names))?
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

/// A word or a rule of the business: what people call something, and what that is in this database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Definition {
    /// What people say: `active customer`.
    pub term: String,
    /// Other words for the same.
    pub synonyms: Vec<String>,
    /// What it means.
    pub meaning: String,
    /// The condition in SQL that says the same, where there is one.
    pub condition: Option<String>,
    /// Whether the condition holds for every question that reads the table `subject`: rows without it are left out of each
    /// query, whoever wrote it.
    #[serde(default)]
    pub always: bool,
    /// The table or column that it describes, such as `orders.total`, where it describes one.
    pub subject: Option<String>,
    /// Where it comes from.
    pub source: DefinitionSource,
}

/// Where a definition comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum DefinitionSource {
    /// The user wrote it.
    User,
    /// A comment in the database.
    Comment,
    /// A file of dbt.
    Dbt,
}

/// What is known of a connection in words, for every question that is asked of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Definitions {
    /// Plain text, a part of every question.
    pub text: String,
    /// Words and rules, each a part of the questions that use it.
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
