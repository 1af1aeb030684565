//! The sources of byte counts for queries, on which byte limits depend.

/// The way in which the bytes of a query are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Metering {
    /// The bytes of a query are unknown.
    Untold,
    /// The engine reports the bytes that a query has read and ends it at a limit. The user states the price.
    Read,
    /// The engine bills each query by bytes and refuses queries beyond a limit. Data is then profiled without queries:
    /// rows come from [`crate::Warehouse::preview_rows`].
    Billed,
}

impl Metering {
    /// Returns true if byte limits can be enforced.
    pub fn holds_limits(self) -> bool {
        self != Self::Untold
    }
}
