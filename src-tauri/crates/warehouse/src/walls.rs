//! What holds an embedded engine in, for whoever asks how safe a connection is.

use serde::{Deserialize, Serialize};
use vitrine_words::tr;

/// What holds an engine in besides that its process is its own, as it was found when the engine started; it never changes
/// after that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Walls {
    /// Memory and the files that sorts spill are bounded, and no core is left behind.
    pub memory: Wall,
    /// No file can be read but the database's, the program's and the system's, none written outside the scratch folder.
    pub files: Wall,
    /// No network, no other program, no way into another process.
    pub calls: Wall,
}

/// Whether one of them is in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum Wall {
    /// The system confirmed it.
    Stands,
    /// A part of it is in force.
    Partly {
        /// What is known about the rest.
        why: String,
    },
    /// It is not in force.
    Missing {
        /// What stood against it.
        why: String,
    },
}

impl Walls {
    /// What is not in force; `None` where all walls stand.
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
