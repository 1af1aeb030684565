//! Evidence for the features of each engine: the strongest that the tests provide.

use crate::WarehouseKind;
use vitrine_domain::{SafetyKind, SafetyLayer, SafetyState};
use vitrine_words::{later, tr, translate_constant};

/// The test environment of a feature, from strongest to weakest evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Proof {
    /// The engine itself, or a real server.
    Real,
    /// An independent emulator of the engine.
    Emulator,
    /// Responses written from the vendor's public documentation, not recorded.
    Document,
    /// The feature was never tested.
    Never,
}

impl Proof {
    /// Returns the title in English.
    pub fn title(self) -> &'static str {
        match self {
            Self::Real => later!("real engine"),
            Self::Emulator => later!("independent emulator"),
            Self::Document => later!("documented exchange"),
            Self::Never => later!("never tried"),
        }
    }
}

/// A feature of an engine with its evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proven {
    /// The description of the feature.
    pub feature: &'static str,
    /// The strongest evidence for it.
    pub proof: Proof,
    /// The product or document of the test.
    pub by: &'static str,
}

impl Proven {
    pub(crate) const fn new(feature: &'static str, proof: Proof, by: &'static str) -> Self {
        Self { feature, proof, by }
    }
}

pub(crate) const LIBRARY: &str = later!("the library that is shipped");
pub(crate) const SQLGLOT: &str = later!("sqlglot 30.30.0 over DuckDB 1.5.5, behind Flight SQL's driver 1.13.0");

/// Returns the safety layer with the engine's evidence.
pub fn proof_layer(kind: WarehouseKind) -> SafetyLayer {
    let rows = || kind.info().proven.iter();
    let said = |proof: Proof| {
        let features: Vec<String> = rows()
            .filter(|row| row.proof == proof)
            .map(|row| format!("{} ({})", translate_constant(row.feature), translate_constant(row.by)))
            .collect();
        (!features.is_empty()).then(|| {
            format!("{}: {}", vitrine_domain::capitalize_first(translate_constant(proof.title())), features.join("; "))
        })
    };
    let lines: Vec<String> =
        [Proof::Real, Proof::Emulator, Proof::Document, Proof::Never].into_iter().filter_map(said).collect();
    let state = match rows().map(|row| row.proof).max() {
        Some(Proof::Real) => SafetyState::Holds,
        Some(_) => SafetyState::Partly,
        None => SafetyState::Unknown,
    };
    let how = tr!("By the tests of this program.");
    SafetyLayer::new(SafetyKind::Tried, state, format!("{}.", lines.join(". ")), how)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::engines;

    #[test]
    fn the_document_has_the_same_table() {
        let document = include_str!("../../../../docs/connections.md");
        let all = || engines().flat_map(|engine| engine.proven.iter().map(|row| (engine.scheme(), row)));
        for (scheme, row) in all() {
            let line = format!("| {scheme} | {} | {} | {} |", row.feature, row.proof.title(), row.by);
            assert!(document.contains(&line), "docs/connections.md lacks: {line}");
        }
        let rows = document.lines().filter(|line| line.ends_with(" |") && line.matches(" | ").count() == 3);
        let listed = rows.filter(|line| all().any(|(scheme, _)| line.starts_with(&format!("| {scheme} |"))));
        assert_eq!(listed.count(), all().count(), "nothing stands there that is not in code");
    }

    #[test]
    fn an_engine_that_no_server_was_had_of_is_not_called_proven() {
        let bigquery = proof_layer(WarehouseKind::Bigquery);
        assert_eq!(bigquery.state, SafetyState::Partly);
        assert!(bigquery.says.contains("Never tried: a project of Google's"), "{}", bigquery.says);
        assert_eq!(proof_layer(WarehouseKind::Sqlite).state, SafetyState::Holds);
    }
}
