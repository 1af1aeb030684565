//! Bytes that queries read or are billed for, and the limits on them: per question, per connection and month, and per month in total.

use crate::app::App;
use crate::spending::this_month;
use crate::state::warehouses::OpenWarehouse;
use crate::types::{Scans, ScansRow};
use parking_lot::Mutex;
use std::sync::Arc;
use vitrine_domain::{AppError, ErrorCode, ScanCap, ScanLimits};
use vitrine_federation::Source;
use vitrine_store::{ScanRequest, Store};
use vitrine_warehouse::{
    Limited, MeteredWarehouse, Metering, ReadingAhead, ScanMeter, Warehouse, WarehouseError, WarehouseUri,
    compute_share,
};
use vitrine_words::tr;

/// Returns the amount of data that may be read ahead at an address.
pub fn reading_ahead(address: &str) -> ReadingAhead {
    WarehouseUri::parse(address).map_or(ReadingAhead::Whole, |uri| uri.kind().info().reading_ahead)
}

/// Returns how the bytes of queries at an address are measured.
pub fn metering_at(address: &str) -> Metering {
    WarehouseUri::parse(address).map_or(Metering::Untold, |uri| uri.kind().info().metering)
}

/// Returns the effective limits at an address.
pub fn effective_limits(address: &str, own: ScanLimits) -> ScanLimits {
    held_by(metering_at(address), own)
}

/// Returns the limits that apply by default.
pub(crate) fn default_limits(metering: Metering) -> ScanLimits {
    held_by(metering, ScanLimits::default())
}

fn held_by(metering: Metering, own: ScanLimits) -> ScanLimits {
    match metering {
        Metering::Billed => own.of_billed(),
        Metering::Read | Metering::Untold => own,
    }
}

/// Returns an error for a limit of money if no price for bytes is known.
pub(crate) fn check_limits(address: &str, own: &ScanLimits) -> Result<(), AppError> {
    let held = effective_limits(address, own.clone());
    let money = [held.question.unwrap_or_default(), held.month].iter().any(|cap| cap.money.is_some());
    if metering_at(address).holds_limits() && money && held.price.is_none() {
        let said = tr!("A limit in money needs the price per TiB, which this database does not report");
        return Err(
            AppError::new(ErrorCode::Usage, said).with_hint(tr!("Set the price, or a limit in bytes such as 50 GB"))
        );
    }
    Ok(())
}

impl App {
    /// Returns the bytes that queries were billed for or read in a month (`2026-11`, UTC), by connection, with the limits. Without a month,
    /// uses the current one.
    pub async fn scans(&self, month: Option<String>) -> Result<Scans, AppError> {
        let month = month.map_or_else(|| Ok(this_month()), crate::spending::check_month)?;
        let asked = month.clone();
        let (billed, connections) =
            self.with_store(move |store| Ok((store.monthly_scans(&asked)?, store.connections()?))).await?;
        let all = self.settings().await?.monthly_scans;
        let mut rows: Vec<ScansRow> = Vec::new();
        for row in billed {
            let connection = connections.iter().find(|known| known.address == row.warehouse);
            rows.push(ScansRow {
                name: connection.map(|known| known.name.clone()),
                limits: effective_limits(
                    &row.warehouse,
                    connection.map_or_else(ScanLimits::default, |known| known.settings.scans.clone()),
                ),
                warehouse: row.warehouse,
                queries: row.queries,
                bytes: row.bytes,
                money: row.micro_usd,
            });
        }
        // Limits are shown before anything is spent.
        for known in connections.iter().filter(|known| metering_at(&known.address).holds_limits()) {
            if rows.iter().all(|row| row.warehouse != known.address) {
                rows.push(ScansRow {
                    name: Some(known.name.clone()),
                    limits: effective_limits(&known.address, known.settings.scans.clone()),
                    warehouse: known.address.clone(),
                    queries: 0,
                    bytes: 0,
                    money: 0,
                });
            }
        }
        Ok(Scans { month, rows, all })
    }

    /// Applies the limits of a connection to its warehouse, if its queries are billed or report the bytes that they read.
    pub(crate) fn metered_warehouse(
        &self,
        warehouse: Arc<dyn Warehouse>,
        uri: &str,
        name: Option<&str>,
        limits: &ScanLimits,
    ) -> Arc<dyn Warehouse> {
        if !warehouse.metering().holds_limits() {
            return warehouse;
        }
        let meter = MonthMeter {
            store: Arc::clone(&self.inner.store),
            warehouse: uri.to_owned(),
            name: name.map(str::to_owned),
            limits: limits.clone(),
        };
        Arc::new(MeteredWarehouse::new(warehouse, Arc::new(meter)))
    }

    /// Applies the limit of one question to a warehouse, for the bytes that its queries may be billed for or read.
    pub(crate) fn for_question(&self, open: &OpenWarehouse) -> Arc<dyn Warehouse> {
        if let Some(joined) = self.inner.warehouses.federated(&open.uri) {
            // Each question has its own meter for each source.
            let limit = |source: &Source| match joined.find_source(&source.name) {
                Some(own) => self.audit_source(own, self.for_question(own)),
                None => Arc::clone(&source.warehouse),
            };
            return Arc::new(joined.warehouse.for_question(&limit));
        }
        let warehouse = Arc::clone(&open.warehouse);
        let ScanLimits { question, price, .. } = effective_limits(&open.uri, open.scans.clone());
        match question.unwrap_or_default().max_bytes(price) {
            Some(most) if warehouse.metering().holds_limits() => {
                let meter = QuestionMeter { most, price, spent: Mutex::default() };
                Arc::new(MeteredWarehouse::new(warehouse, Arc::new(meter)))
            }
            _ => warehouse,
        }
    }
}

/// Counts the bytes of one question's queries against its limit.
struct QuestionMeter {
    most: u64,
    price: Option<u64>,
    spent: Mutex<u64>,
}

impl ScanMeter for QuestionMeter {
    fn reserve_bytes(&self, least: u64, most: u64) -> Result<Option<u64>, WarehouseError> {
        let mut spent = self.spent.lock();
        let Some(granted) = compute_share(least, most, self.most.saturating_sub(*spent)) else {
            return Err(WarehouseError::OverCap {
                whose: Limited::Question,
                most: self.most,
                spent: *spent,
                ahead: least,
                price: self.price,
            });
        };
        *spent += granted;
        Ok(Some(granted))
    }

    fn record_billed(&self, reserved: u64, billed: u64) {
        let mut spent = self.spent.lock();
        *spent = (*spent + billed).saturating_sub(reserved);
    }
}

/// Counts the bytes of queries in the current month, for one connection and for all. The counts are stored in the workspace, so that all
/// processes share them.
struct MonthMeter {
    store: Arc<Store>,
    warehouse: String,
    name: Option<String>,
    limits: ScanLimits,
}

impl MonthMeter {
    /// Returns the current limit of all connections.
    fn overall_cap(&self) -> ScanCap {
        let settings = self.store.setting::<crate::types::Settings>(crate::settings::KEY).ok().flatten();
        settings.map_or_else(ScanCap::default, |settings| settings.monthly_scans)
    }

    /// Returns the current limits of this connection.
    fn connection_limits(&self) -> ScanLimits {
        let kept = self.store.connection_at(&self.warehouse).ok().flatten();
        effective_limits(
            &self.warehouse,
            kept.map_or_else(|| self.limits.clone(), |connection| connection.settings.scans),
        )
    }
}

impl ScanMeter for MonthMeter {
    fn reserve_bytes(&self, least: u64, most: u64) -> Result<Option<u64>, WarehouseError> {
        let own = self.connection_limits();
        let request = ScanRequest {
            month: &this_month(),
            warehouse: &self.warehouse,
            bytes: (least, most),
            price: own.price,
            caps: (own.month, self.overall_cap()),
        };
        // If the cost cannot be recorded, the query is not run.
        let asked = self.store.reserve_scan(request, compute_share);
        let asked =
            asked.map_err(|error| WarehouseError::query(format!("what it costs cannot be counted: {error}")))?;
        asked.map_err(|refused| WarehouseError::OverCap {
            whose: match refused.all {
                true => Limited::AllMonth,
                false => Limited::Month(self.name.clone()),
            },
            most: refused.most,
            spent: refused.spent,
            ahead: least,
            price: own.price,
        })
    }

    fn record_billed(&self, reserved: u64, billed: u64) {
        let settled =
            self.store.settle_scan(&this_month(), &self.warehouse, reserved, billed, self.connection_limits().price);
        if let Err(error) = settled {
            tracing::error!(%error, "what a query was billed for could not be counted");
        }
    }

    fn has_limit(&self) -> bool {
        [self.connection_limits().month, self.overall_cap()].iter().any(|cap| *cap != ScanCap::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_spends_its_limit_and_no_more() {
        let meter = QuestionMeter { most: 1_000, price: Some(6_250_000), spent: Mutex::default() };
        assert_eq!(meter.reserve_bytes(600, 700).ok().flatten(), Some(700));
        assert_eq!(meter.reserve_bytes(300, 700).ok().flatten(), Some(300));
        assert!(meter.reserve_bytes(1, 1).is_err());
        meter.record_billed(700, 200);
        assert_eq!(meter.reserve_bytes(500, 700).ok().flatten(), Some(500));
        let said = meter.reserve_bytes(0, 100).unwrap_err().to_string();
        assert!(said.starts_with("over budget: the limit of one question is 1000 bytes"), "{said}");
    }
}
