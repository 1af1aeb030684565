//! The methods: compositions of stages, one file each.

pub mod auto;
pub mod av_sql;
pub mod chase_sql;
pub mod direct;
pub mod dsr_sql;
pub mod method;
pub mod prospy;
pub mod reforce;

use method::Method;
use vitrine_domain::StrategyName;

/// All methods, in the order in which they are offered.
pub const METHODS: [Method; 8] = [
    auto::METHOD,
    av_sql::METHOD,
    dsr_sql::METHOD,
    chase_sql::METHOD,
    reforce::METHOD,
    prospy::METHOD,
    direct::DIRECT,
    direct::VOTE,
];

/// The method of a name: each has one, which a test asserts.
pub fn method(name: StrategyName) -> Method {
    METHODS.into_iter().find(|method| method.name == name).unwrap_or(auto::METHOD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_its_method() {
        let names: Vec<StrategyName> = METHODS.iter().map(|method| method.name).collect();
        assert_eq!(names, StrategyName::ALL);
    }
}
