//! The methods: compositions of stages, one file each, which also contains the method's description.

pub mod auto;
pub mod av_sql;
pub mod chase_sql;
mod choices;
pub mod direct;
pub mod dsr_sql;
pub mod method;
pub mod own_sql;
pub mod parameters;
pub mod prospy;
pub mod reforce;

use method::Method;
use vitrine_domain::{AppError, ErrorCode, MethodName, Switch};
use vitrine_words::tr;

/// All methods, in the order in which they are offered.
pub static METHODS: &[Method] = &[
    auto::METHOD,
    av_sql::METHOD,
    dsr_sql::METHOD,
    chase_sql::METHOD,
    reforce::METHOD,
    prospy::METHOD,
    direct::DIRECT,
    direct::VOTE,
];

/// Switches for the stages that methods share; each method's own switches are in its description.
pub const SHARED_SWITCHES: &[Switch] = &[
    Switch::SqlFeedback,
    Switch::NameRepair,
    Switch::Variants,
    Switch::Fitting,
    Switch::Respelling,
    Switch::Findings,
    Switch::Values,
    Switch::Linking,
    Switch::Compression,
    Switch::Judge,
    Switch::Certainty,
    Switch::Verified,
    Switch::Readings,
];

/// Returns the method with a name.
///
/// # Errors
/// Lists the existing methods if there is none.
pub fn find_method(name: &MethodName) -> Result<&'static Method, AppError> {
    METHODS.iter().find(|method| method.info.name == name.as_str()).ok_or_else(|| {
        AppError::new(ErrorCode::Usage, unknown_method_message(name.as_str()))
            .with_hint(tr!("Choose one of the methods that exist"))
    })
}

/// Parses the name of an existing method: its own name, or its name in lists for users.
///
/// # Errors
/// Lists the existing methods if there is none.
pub fn parse_method_name(text: &str) -> Result<MethodName, String> {
    let is_it = |method: &&Method| {
        let everyday = method.info.everyday.is_some_and(|name| name.eq_ignore_ascii_case(text));
        method.info.name == text || everyday
    };
    let found = METHODS.iter().find(is_it);
    found.map(Method::name).ok_or_else(|| unknown_method_message(text))
}

fn unknown_method_message(name: &str) -> String {
    let names: Vec<&str> = METHODS.iter().map(|method| method.info.name).collect();
    tr!(
        "unknown strategy '{name}': use {names} ({also})",
        name,
        names = names.join(", "),
        also = list_aliases().join(", ")
    )
}

/// Returns the methods that names in lists for users refer to: `fast is direct`.
pub fn list_aliases() -> Vec<String> {
    let other = |method: &Method| {
        let name = method.info.everyday?.to_lowercase();
        (name != method.info.name).then(|| tr!("{name} is {method}", name, method = method.info.name))
    };
    METHODS.iter().filter_map(other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use vitrine_domain::method_info::MethodGroup;

    #[test]
    fn methods_are_named_and_described() {
        let names: BTreeSet<&str> = METHODS.iter().map(|method| method.info.name).collect();
        assert_eq!(names.len(), METHODS.len(), "a name twice");
        assert!(names.contains(MethodName::default().as_str()), "the default is a method");
        for method in METHODS {
            let info = &method.info;
            assert!(info.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}: kebab case", info.name);
            assert!(!info.label.is_empty() && !info.note.is_empty() && !info.stages.is_empty(), "{}", info.name);
        }
        // Lists show each group once.
        let mut groups: Vec<MethodGroup> = METHODS.iter().map(|method| method.info.group).collect();
        groups.dedup();
        assert_eq!(groups, [MethodGroup::Recommended, MethodGroup::Published, MethodGroup::Baseline]);
    }

    #[test]
    fn a_name_that_does_not_exist_is_refused_with_those_that_do() {
        let refused = parse_method_name("best").unwrap_err();
        assert_eq!(
            refused,
            "unknown strategy 'best': use auto, av-sql, dsr-sql, chase-sql, reforce, prospy, direct, vote (thorough is av-sql, fast is direct)"
        );
        assert_eq!(find_method(&MethodName::from("best")).unwrap_err().message, refused);
        assert_eq!(parse_method_name("vote"), Ok(MethodName::from("vote")));
        assert_eq!(parse_method_name("fast"), Ok(MethodName::from("direct")));
        assert_eq!(parse_method_name("Thorough"), Ok(MethodName::from("av-sql")));
    }

    #[test]
    fn each_part_is_shared_or_belongs_to_a_method() {
        let own = METHODS.iter().flat_map(|method| method.info.switches);
        let described: BTreeSet<Switch> = own.chain(SHARED_SWITCHES).copied().collect();
        assert_eq!(described, BTreeSet::from(Switch::ALL));
    }
}
