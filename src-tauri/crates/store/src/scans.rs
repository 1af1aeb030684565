//! Billed bytes of queries, as sums by month and warehouse. Bytes are reserved before a query runs, in the same
//! transaction that checks the limits, so that concurrent programs cannot exceed them together.

use crate::open::Problem;
use crate::runs::count_from_sql;
use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, params};
use vitrine_domain::{ScanCap, scan_bytes, scan_money};

/// The billed bytes of a warehouse's queries in a month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scanned {
    /// The address of the warehouse.
    pub warehouse: String,
    /// Number of queries in the month.
    pub queries: u64,
    /// Billed bytes, including those reserved for running queries.
    pub bytes: u64,
    /// Cost in millionths of a US dollar, at the prices of that time.
    pub micro_usd: u64,
}

/// A limit with insufficient remaining bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScanRefused {
    /// `true` for the limit of all warehouses together.
    pub all: bool,
    /// The value of the limit in bytes.
    pub most: u64,
    /// Bytes that were already spent in the month.
    pub spent: u64,
}

/// A reservation before a query runs.
#[derive(Debug, Clone, Copy)]
pub struct ScanRequest<'a> {
    /// The month, such as `2026-11`.
    pub month: &'a str,
    /// The address of the warehouse.
    pub warehouse: &'a str,
    /// The minimum and maximum number of bytes to reserve.
    pub bytes: (u64, u64),
    /// Price of a tebibyte in millionths of a US dollar; money limits have no effect without it.
    pub price: Option<u64>,
    /// Monthly limits of the warehouse, and of all warehouses together.
    pub caps: (ScanCap, ScanCap),
}

impl Store {
    /// Reserves bytes: at least the minimum and, if there is a limit, the share that `share` computes from minimum,
    /// maximum and remaining bytes. `None` without limits.
    pub fn reserve_scan(
        &self,
        request: ScanRequest<'_>,
        share: impl Fn(u64, u64, u64) -> Option<u64>,
    ) -> Result<Result<Option<u64>, ScanRefused>, StoreError> {
        let ScanRequest { month, warehouse, bytes: (least, wanted), price, caps } = request;
        self.with_transaction(|db| {
            let mut granted: Option<u64> = None;
            for (cap, all) in [(caps.0, false), (caps.1, true)] {
                let (bytes, money) = sum_scans(db, month, (!all).then_some(warehouse))?;
                let priced = cap.money.zip(price.filter(|price| *price > 0));
                let by_money = priced.map(|(most, price)| (scan_bytes(most, price), scan_bytes(money, price)));
                for (most, spent) in cap.bytes.map(|most| (most, bytes)).into_iter().chain(by_money) {
                    let Some(own) = share(least, wanted, most.saturating_sub(spent)) else {
                        return Ok(Err(ScanRefused { all, most, spent }));
                    };
                    granted = Some(granted.map_or(own, |granted| granted.min(own)));
                }
            }
            let aside = granted.unwrap_or(least);
            add_scan(db, month, warehouse, 1, aside, scan_money(aside, price.unwrap_or_default()))?;
            Ok(Ok(granted))
        })
    }

    /// Replaces the reservation of a query by its billed bytes.
    pub fn settle_scan(
        &self,
        month: &str,
        warehouse: &str,
        reserved: u64,
        billed: u64,
        price: Option<u64>,
    ) -> Result<(), StoreError> {
        let price = price.unwrap_or_default();
        self.with_transaction(|db| {
            db.prepare_cached(
                "UPDATE scans SET bytes = max(0, bytes - ?3 + ?4), micro_usd = max(0, micro_usd - ?5 + ?6)
                 WHERE month = ?1 AND warehouse = ?2",
            )?
            .execute(params![
                month,
                warehouse,
                to_sql_integer(reserved),
                to_sql_integer(billed),
                to_sql_integer(scan_money(reserved, price)),
                to_sql_integer(scan_money(billed, price)),
            ])?;
            Ok(())
        })
    }

    /// Returns the billed bytes of a month, largest first.
    pub fn monthly_scans(&self, month: &str) -> Result<Vec<Scanned>, StoreError> {
        let select =
            "SELECT warehouse, queries, bytes, micro_usd FROM scans WHERE month = ?1 ORDER BY bytes DESC, warehouse";
        self.with_reader(|db| {
            db.prepare_cached(select)?
                .query_map([month], |row| {
                    Ok(Scanned {
                        warehouse: row.get(0)?,
                        queries: count_from_sql(row.get(1)?),
                        bytes: count_from_sql(row.get(2)?),
                        micro_usd: count_from_sql(row.get(3)?),
                    })
                })?
                .collect()
        })
    }
}

fn to_sql_integer(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

fn sum_scans(db: &Connection, month: &str, warehouse: Option<&str>) -> Result<(u64, u64), Problem> {
    let select = "SELECT sum(bytes), sum(micro_usd) FROM scans WHERE month = ?1 AND (?2 IS NULL OR warehouse = ?2)";
    let sums = db
        .prepare_cached(select)?
        .query_row(params![month, warehouse], |row| Ok((row.get::<_, Option<i64>>(0)?, row.get::<_, Option<i64>>(1)?)))
        .optional()?;
    let (bytes, money) = sums.unwrap_or_default();
    Ok((count_from_sql(bytes.unwrap_or_default()), count_from_sql(money.unwrap_or_default())))
}

fn add_scan(
    db: &Connection,
    month: &str,
    warehouse: &str,
    queries: u64,
    bytes: u64,
    money: u64,
) -> Result<(), Problem> {
    db.prepare_cached(
        "INSERT INTO scans VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (month, warehouse) DO UPDATE SET
         queries = queries + excluded.queries, bytes = bytes + excluded.bytes, micro_usd = micro_usd + excluded.micro_usd",
    )?
    .execute(params![month, warehouse, to_sql_integer(queries), to_sql_integer(bytes), to_sql_integer(money)])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICE: Option<u64> = Some(1 << 20);

    fn make_request<'a>(warehouse: &'a str, bytes: (u64, u64), caps: (ScanCap, ScanCap)) -> ScanRequest<'a> {
        ScanRequest { month: "2026-11", warehouse, bytes, price: PRICE, caps }
    }

    fn cap_of_bytes(bytes: u64) -> ScanCap {
        ScanCap { bytes: Some(bytes), money: None }
    }

    /// Reserves all remaining bytes for the query.
    fn reserve_all(least: u64, most: u64, left: u64) -> Option<u64> {
        (left >= least && left > 0).then(|| left.min(most))
    }

    #[test]
    fn a_month_holds_one_connection_and_all_together() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("w.db")).unwrap();
        let ask = |warehouse: &str, bytes: (u64, u64)| {
            store
                .reserve_scan(make_request(warehouse, bytes, (cap_of_bytes(1_000), cap_of_bytes(1_500))), reserve_all)
                .unwrap()
        };
        assert_eq!(ask("a", (100, 600)), Ok(Some(600)));
        assert_eq!(ask("a", (100, 600)), Ok(Some(400)), "what is left of its own");
        assert_eq!(ask("a", (0, 600)), Err(ScanRefused { all: false, most: 1_000, spent: 1_000 }));
        assert_eq!(ask("b", (100, 600)), Ok(Some(500)), "what is left of all");
        assert_eq!(ask("b", (1, 1)), Err(ScanRefused { all: true, most: 1_500, spent: 1_500 }));
        // Unbilled bytes can be spent again, and another month has its own limits.
        store.settle_scan("2026-11", "a", 600, 0, PRICE).unwrap();
        assert_eq!(ask("b", (1, 100)), Ok(Some(100)));
        let next =
            ScanRequest { month: "2026-12", ..make_request("a", (1, 900), (cap_of_bytes(1_000), cap_of_bytes(1_500))) };
        assert_eq!(store.reserve_scan(next, reserve_all).unwrap(), Ok(Some(900)));
        let billed: Vec<_> = store
            .monthly_scans("2026-11")
            .unwrap()
            .into_iter()
            .map(|row| (row.warehouse, row.queries, row.bytes))
            .collect();
        assert_eq!(billed, [("b".to_owned(), 2, 600), ("a".to_owned(), 2, 400)]);
    }

    #[test]
    fn without_a_limit_queries_are_counted_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("w.db")).unwrap();
        let none = (ScanCap::default(), ScanCap::default());
        assert_eq!(store.reserve_scan(make_request("a", (100, 600), none), reserve_all).unwrap(), Ok(None));
        store.settle_scan("2026-11", "a", 100, 5_000, PRICE).unwrap();
        assert_eq!(store.monthly_scans("2026-11").unwrap()[0].bytes, 5_000);
    }

    #[test]
    fn a_limit_of_money_is_one_of_bytes_at_the_price() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("w.db")).unwrap();
        // A mebibyte costs a millionth of a dollar here.
        let caps = (ScanCap { bytes: None, money: Some(50) }, ScanCap::default());
        let ask = |bytes: (u64, u64)| store.reserve_scan(make_request("a", bytes, caps), reserve_all).unwrap();
        assert_eq!(ask((1 << 20, 100 << 20)), Ok(Some(50 << 20)));
        store.settle_scan("2026-11", "a", 50 << 20, 10 << 20, PRICE).unwrap();
        assert_eq!(ask((41 << 20, 41 << 20)), Err(ScanRefused { all: false, most: 50 << 20, spent: 10 << 20 }));
        assert_eq!(ask((40 << 20, 41 << 20)), Ok(Some(40 << 20)));
        assert_eq!(store.monthly_scans("2026-11").unwrap()[0].micro_usd, 50);
        let unpriced = ScanRequest { price: None, ..make_request("b", (41 << 20, 41 << 20), caps) };
        assert_eq!(store.reserve_scan(unpriced, reserve_all).unwrap(), Ok(None), "what has no price spends no money");
    }
}
