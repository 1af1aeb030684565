//! What a model behind an address may be told of a database: a level for each connection, and columns of personal data.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_words::{later, tr, translate_constant};

/// How much of a database requests may hold. Each level includes those before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum EgressLevel {
    /// Names and types of tables and columns, keys, and how many rows a query gave.
    Names,
    /// Also what the owner wrote: comments and the definitions of views.
    Comments,
    /// Also numbers about columns: rows, NULLs, distinct values, mean. No value itself.
    Profile,
    /// Also stored values: examples, ranges, and those that resemble words of the question.
    Samples,
    /// Also rows that queries gave, and the errors of a database as they are.
    #[default]
    Results,
}

impl EgressLevel {
    /// All levels, least first.
    pub const ALL: [Self; 5] = [Self::Names, Self::Comments, Self::Profile, Self::Samples, Self::Results];

    /// Its name in the terminal.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Names => "names",
            Self::Comments => "comments",
            Self::Profile => "profile",
            Self::Samples => "samples",
            Self::Results => "results",
        }
    }

    /// What it allows, within a sentence.
    pub fn display_title(self) -> &'static str {
        translate_constant(match self {
            Self::Names => later!("names"),
            Self::Comments => later!("names and comments"),
            Self::Profile => later!("names, comments and statistics"),
            Self::Samples => later!("names, comments, statistics and sample values"),
            Self::Results => later!("names, comments, statistics, sample values and rows of results"),
        })
    }
}

impl std::str::FromStr for EgressLevel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|level| level.as_str().eq_ignore_ascii_case(text.trim()));
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::as_str).join(", ");
            tr!("there is no level '{text}': choose {names}", text, names)
        })
    }
}

/// What requests about one connection may hold. It does not concern the model that runs inside of the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(default, rename_all = "camelCase")]
pub struct EgressPolicy {
    /// How much.
    pub level: EgressLevel,
    /// Whether values of columns that look personal are masked at every level.
    pub mask_personal: bool,
    /// Columns that look personal and may be told all the same, as `table.column`.
    pub allowed: Vec<String>,
    /// Columns that are masked although they do not look personal, as `table.column`.
    pub masked: Vec<String>,
}

impl Default for EgressPolicy {
    fn default() -> Self {
        Self { level: EgressLevel::default(), mask_personal: true, allowed: Vec::new(), masked: Vec::new() }
    }
}

impl EgressPolicy {
    /// Everything may be told: for data that is public, such as that of a benchmark.
    pub fn allow_everything() -> Self {
        Self { level: EgressLevel::Results, mask_personal: false, ..Self::default() }
    }
}

/// Why a column counts as personal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum PersonalKind {
    /// E-mail addresses.
    Email,
    /// Telephone numbers.
    Phone,
    /// Bank accounts: IBANs with a right checksum.
    BankAccount,
    /// Payment cards: digits with a right checksum.
    PaymentCard,
    /// Names of people.
    PersonName,
    /// Dates of birth.
    BirthDate,
    /// Postal addresses.
    Address,
    /// Numbers that a state gives to a person.
    NationalId,
    /// The user says so.
    Chosen,
}

impl PersonalKind {
    /// Its name for people.
    pub fn display_title(self) -> &'static str {
        translate_constant(match self {
            Self::Email => later!("e-mail address"),
            Self::Phone => later!("telephone number"),
            Self::BankAccount => later!("bank account"),
            Self::PaymentCard => later!("payment card"),
            Self::PersonName => later!("name of a person"),
            Self::BirthDate => later!("date of birth"),
            Self::Address => later!("postal address"),
            Self::NationalId => later!("national number"),
            Self::Chosen => later!("chosen by you"),
        })
    }
}

/// A column whose values are, or look, personal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PersonalColumn {
    /// Its table, as queries write it.
    pub table: String,
    /// Its name.
    pub column: String,
    /// Why.
    pub kind: PersonalKind,
    /// Whether its values are masked; not where the user allows them.
    pub masked: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_as_they_are_written_and_grow() {
        assert!(EgressLevel::ALL.is_sorted());
        for level in EgressLevel::ALL {
            assert_eq!(level.as_str().parse(), Ok(level));
        }
        assert!("all".parse::<EgressLevel>().unwrap_err().contains("names, comments"));
    }
}
