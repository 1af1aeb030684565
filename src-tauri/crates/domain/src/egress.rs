//! Egress: the part of a database that requests to remote models may contain, and the columns with personal data.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_words::{later, tr, translate_constant};

/// The amount of a database that requests may contain. Each level includes the previous ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum EgressLevel {
    /// Names and types of tables and columns, keys, and row counts of queries.
    Names,
    /// Also the owner's descriptions: comments and the definitions of views.
    Comments,
    /// Also statistics of columns: counts of rows, NULLs and distinct values, means. No stored values.
    Profile,
    /// Also stored values: examples, ranges, and values that resemble words of the question.
    Samples,
    /// Also rows of query results, and unmodified error messages of the database.
    #[default]
    Results,
}

impl EgressLevel {
    /// All levels, from the least to the most.
    pub const ALL: [Self; 5] = [Self::Names, Self::Comments, Self::Profile, Self::Samples, Self::Results];

    /// Returns the name in the terminal.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Names => "names",
            Self::Comments => "comments",
            Self::Profile => "profile",
            Self::Samples => "samples",
            Self::Results => "results",
        }
    }

    /// Describes the allowed content within a sentence.
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
            tr!("unknown level '{text}': choose {names}", text, names)
        })
    }
}

/// The allowed content of requests about a connection. It does not apply to the embedded model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(default, rename_all = "camelCase")]
pub struct EgressPolicy {
    /// The amount of the database that requests may contain.
    pub level: EgressLevel,
    /// True if values of columns that look personal are masked, at every level.
    pub mask_personal: bool,
    /// Columns that look personal but are not masked, as `table.column`.
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
    /// Creates a policy without restrictions, for public data such as benchmarks.
    pub fn allow_everything() -> Self {
        Self { level: EgressLevel::Results, mask_personal: false, ..Self::default() }
    }
}

/// The reason why a column is regarded as personal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum PersonalKind {
    /// The values are e-mail addresses.
    Email,
    /// The values are telephone numbers.
    Phone,
    /// Numbers of bank accounts: IBANs with a valid checksum.
    BankAccount,
    /// Numbers of payment cards: digits with a valid checksum.
    PaymentCard,
    /// The values are names of people.
    PersonName,
    /// The values are dates of birth.
    BirthDate,
    /// The values are postal addresses.
    Address,
    /// Numbers that a state assigns to a person.
    NationalId,
    /// Passwords, their digests, and keys that give access.
    Secret,
    /// The user marked the column as personal.
    Chosen,
}

impl PersonalKind {
    /// Returns the label for users.
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
            Self::Secret => later!("password or key"),
            Self::Chosen => later!("chosen by you"),
        })
    }
}

/// A column with values that are personal or look personal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PersonalColumn {
    /// The column's table, as queries write it.
    pub table: String,
    /// The name of the column.
    pub column: String,
    /// The reason why it is regarded as personal.
    pub kind: PersonalKind,
    /// True if the values are masked; false if the user allows them.
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
