//! Limits of the cost of models and of scanned bytes.

use crate::{Agent, Cap};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;

/// BigQuery's on-demand price of a tebibyte in the US, in millionths of a US dollar. Other regions cost more.
pub const SCAN_PRICE: u64 = 6_250_000;
/// The date at which `SCAN_PRICE` was looked up.
pub const SCAN_PRICE_ON: &str = "2026-11-25";

const TEBIBYTE: u128 = 1 << 40;

/// Converts billed bytes to money, rounded up. `price` (per tebibyte) and the result are in millionths of a US dollar.
pub fn scan_money(bytes: u64, price: u64) -> u64 {
    u64::try_from((u128::from(bytes) * u128::from(price)).div_ceil(TEBIBYTE)).unwrap_or(u64::MAX)
}

/// Converts money to billed bytes, rounded down. `money` and `price` (per tebibyte) are in millionths of a US dollar.
pub fn scan_bytes(money: u64, price: u64) -> u64 {
    match price {
        0 => u64::MAX,
        price => u64::try_from(u128::from(money) * TEBIBYTE / u128::from(price)).unwrap_or(u64::MAX),
    }
}

/// A limit of billed bytes, or of read bytes if the engine does not report billed ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct ScanCap {
    /// Maximum number of bytes; `None` means unlimited.
    #[specta(type = Option<f64>)]
    pub bytes: Option<u64>,
    /// Maximum cost in millionths of a US dollar; `None` means unlimited.
    #[specta(type = Option<f64>)]
    pub money: Option<u64>,
}

impl ScanCap {
    /// Returns true if bytes or money are limited.
    pub fn is_set(&self) -> bool {
        *self != Self::default()
    }

    /// Returns the lower of both limits in bytes. `price` is per tebibyte, in millionths of a US dollar; without it,
    /// the limit of money is ignored.
    pub fn max_bytes(&self, price: Option<u64>) -> Option<u64> {
        let by_money = self.money.zip(price).map(|(money, price)| scan_bytes(money, price));
        [self.bytes, by_money].into_iter().flatten().min()
    }
}

/// Limits of the bytes that queries of a connection are billed for or read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct ScanLimits {
    /// Price of a tebibyte in millionths of a US dollar; `None` means the engine's known price, if any.
    #[specta(type = Option<f64>)]
    pub price: Option<u64>,
    /// The limit for all queries of a question; `None` means the engine's default.
    pub question: Option<ScanCap>,
    /// The limit for all queries of a connection in a calendar month (UTC).
    pub month: ScanCap,
}

impl ScanLimits {
    /// Fills in the defaults for engines that bill every query by bytes: BigQuery's price, and a limit for a question
    /// of ten times the default limit of a query.
    pub fn of_billed(self) -> Self {
        let question = ScanCap { bytes: Some(100_000_000_000), money: None };
        Self { price: self.price.or(Some(SCAN_PRICE)), question: self.question.or(Some(question)), ..self }
    }
}

/// Limits of the cost of remote models in a calendar month (UTC).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct MonthlyCaps {
    /// The limit for all agents together.
    pub all: Cap,
    /// Additional limits for single agents.
    pub by_agent: BTreeMap<Agent, Cap>,
}

impl MonthlyCaps {
    /// Returns true if something is limited.
    pub fn is_set(&self) -> bool {
        self.all.is_set() || self.by_agent.values().any(Cap::is_set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_money_and_money_bytes() {
        assert_eq!(scan_money(1 << 40, SCAN_PRICE), 6_250_000);
        assert_eq!(scan_money(10 << 20, SCAN_PRICE), 60, "rounded up");
        assert_eq!((scan_bytes(6_250_000, SCAN_PRICE), scan_bytes(1, 0)), (1 << 40, u64::MAX));
        assert_eq!(scan_money(u64::MAX, u64::MAX), u64::MAX);
        let both = ScanCap { bytes: Some(5 << 40), money: Some(12_500_000) };
        assert_eq!(both.max_bytes(Some(SCAN_PRICE)), Some(2 << 40));
        assert_eq!(both.max_bytes(None), Some(5 << 40), "without a price money holds nothing");
        assert_eq!((ScanCap::default().max_bytes(Some(SCAN_PRICE)), ScanCap::default().is_set()), (None, false));
    }
}
