//! Ids that are plain text when serialized but types of their own in Rust.

use serde::{Deserialize, Serialize};
use specta::Type;
use specta::datatype::DataType;
use std::borrow::{Borrow, Cow};
use std::fmt;
use std::ops::Deref;

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Cow<'static, str>);

        impl $name {
            /// Creates the id from a constant.
            pub const fn new(text: &'static str) -> Self {
                Self(Cow::Borrowed(text))
            }

            /// Returns the text of the id.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Type for $name {
            fn definition(types: &mut specta::Types) -> DataType {
                String::definition(types)
            }
        }

        impl Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(Cow::Owned(text))
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(Cow::Owned(text.to_owned()))
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0.into_owned()
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.0 == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.0 == *other
            }
        }
    };
}

text_id! {
    /// The id of a node in the run graph, stable within a run: `rewriter`, `chunk-1`, `selection`, `planner`,
    /// `generator`, `revisor`, `result`. Views are nodes named `view:NAME`.
    NodeId
}

text_id! {
    /// The code of a rule, such as `R010`. A change by several rules together has their codes, joined by a plus.
    RuleCode
}

impl RuleCode {
    /// Returns the codes of the rules that made a change together.
    pub fn codes(&self) -> impl Iterator<Item = &str> {
        self.0.split('+')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_serialized_as_its_text() {
        let (constant, read) = (NodeId::new("chunk-1"), serde_json::from_str::<NodeId>("\"chunk-1\"").unwrap());
        assert_eq!((serde_json::to_string(&constant).unwrap().as_str(), &read), ("\"chunk-1\"", &constant));
        assert_eq!(format!("{read} {read:?}"), "chunk-1 \"chunk-1\"");
    }

    #[test]
    fn a_code_of_several_rules_is_split() {
        assert_eq!(RuleCode::new("Q005+V004").codes().collect::<Vec<_>>(), ["Q005", "V004"]);
        assert_eq!(RuleCode::new("R010").codes().collect::<Vec<_>>(), ["R010"]);
    }
}
