//! The sandbox of an embedded engine, for reports on the safety of a connection.

use serde::{Deserialize, Serialize};
use vitrine_words::tr;

/// The restrictions of an engine process, determined when the engine started and constant afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Walls {
    /// The limit on memory and spilled files; core dumps are disabled.
    pub memory: Wall,
    /// The limit to files of the database, the program and the system; only the scratch folder is writable.
    pub files: Wall,
    /// The block of network access, other programs and other processes.
    pub calls: Wall,
}

/// The state of a restriction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum Wall {
    /// The restriction is confirmed by the system.
    Stands,
    /// The restriction is partly in force.
    Partly {
        /// The known facts about the rest.
        why: String,
    },
    /// The restriction is not in force.
    Missing {
        /// The reason for its absence.
        why: String,
    },
}

impl Walls {
    /// Describes the restrictions that are not in force; returns `None` if all are.
    pub fn describe_gaps(&self) -> Option<String> {
        let walls = [(tr!("memory"), &self.memory), (tr!("files"), &self.files), (tr!("system calls"), &self.calls)];
        let gaps: Vec<String> = walls.into_iter().filter_map(|(name, wall)| wall.describe_gap(&name)).collect();
        (!gaps.is_empty()).then(|| gaps.join("; "))
    }
}

impl Wall {
    fn describe_gap(&self, name: &str) -> Option<String> {
        match self {
            Self::Stands => None,
            Self::Partly { why } => Some(tr!("{name}, in part: {why}", name, why)),
            Self::Missing { why } => Some(format!("{name}: {why}")),
        }
    }
}

impl From<Result<(), String>> for Wall {
    fn from(put_up: Result<(), String>) -> Self {
        match put_up {
            Ok(()) => Self::Stands,
            Err(why) => Self::Missing { why },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_that_does_not_stand_is_named_with_its_reason() {
        let walls = Walls {
            memory: Wall::Stands,
            files: Wall::Partly { why: "an old kernel".into() },
            calls: Err("no filter is made for riscv64".to_owned()).into(),
        };
        let gaps = walls.describe_gaps().expect("two walls do not stand");
        assert_eq!(gaps, "files, in part: an old kernel; system calls: no filter is made for riscv64");
        let read: Walls = serde_json::from_str(&serde_json::to_string(&walls).expect("JSON")).expect("the same");
        assert_eq!(read, walls);
    }
}
