//! What asking models may cost.

use crate::{Agent, Cap};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;

/// What BigQuery asks for a tebibyte of queries on demand in the US, in millionths of a US dollar; other places ask for more.
pub const SCAN_PRICE: u64 = 6_250_000;
/// When that was looked up.
pub const SCAN_PRICE_ON: &str = "2026-11-25";

const TEBIBYTE: u128 = 1 << 40;

/// What so many billed bytes cost at a price for a tebibyte, both in millionths of a US dollar; rounded up.
pub fn scan_money(bytes: u64, price: u64) -> u64 {
    u64::try_from((u128::from(bytes) * u128::from(price)).div_ceil(TEBIBYTE)).unwrap_or(u64::MAX)
}

/// Bytes that may be billed for so much money at a price for a tebibyte; rounded down.
pub fn scan_bytes(money: u64, price: u64) -> u64 {
    match price {
        0 => u64::MAX,
        price => u64::try_from(u128::from(money) * TEBIBYTE / u128::from(price)).unwrap_or(u64::MAX),
    }
}

/// What queries may be billed for, or read where the database tells only that.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct ScanCap {
    /// Bytes.
    #[specta(type = Option<f64>)]
    pub bytes: Option<u64>,
    /// Millionths of a US dollar.
    #[specta(type = Option<f64>)]
    pub money: Option<u64>,
}

impl ScanCap {
    /// Whether something is limited.
    pub fn is_set(&self) -> bool {
        *self != Self::default()
    }

    /// The lower of both limits, in bytes at a price for a tebibyte; without a price no money is spent.
    pub fn max_bytes(&self, price: Option<u64>) -> Option<u64> {
        let by_money = self.money.zip(price).map(|(money, price)| scan_bytes(money, price));
        [self.bytes, by_money].into_iter().flatten().min()
    }
}

/// What queries of a connection may be billed for, or read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct ScanLimits {
    /// What a tebibyte costs, in millionths of a US dollar; `None` is what the database asks for, where that is known.
    #[specta(type = Option<f64>)]
    pub price: Option<u64>,
    /// All queries of one question; `None` is the limit that the database has without a word of the user's.
    pub question: Option<ScanCap>,
    /// All queries of the connection in a calendar month (UTC).
    pub month: ScanCap,
}

impl ScanLimits {
    /// As they hold where every query is billed by bytes, at BigQuery's price, and no question by default for more than ten times
    /// what one query may be.
    pub fn of_billed(self) -> Self {
        let question = ScanCap { bytes: Some(100_000_000_000), money: None };
        Self { price: self.price.or(Some(SCAN_PRICE)), question: self.question.or(Some(question)), ..self }
    }
}

/// What models behind an address may cost in a calendar month (UTC).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct MonthlyCaps {
    /// Of all agents together.
    pub all: Cap,
    /// Of single agents.
    pub by_agent: BTreeMap<Agent, Cap>,
}

impl MonthlyCaps {
    /// Whether something is limited.
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
