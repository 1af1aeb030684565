//! Limits on the bytes that queries may be billed for or read, across queries: per question, connection and month.
//! Bytes are reserved before a query runs, and kept or released when the billed amount is known. Concurrent queries
//! therefore cannot exceed a limit together.

use crate::WarehouseError;
use std::fmt;
use std::sync::Arc;

/// The divisor for the share of remaining bytes that one query may use beyond its estimate. An estimate may be below
/// the billed amount, and concurrent queries need a part of the rest.
const SHARE: u64 = 4;

/// Counts the bytes that queries are billed for. Calls must be short and may come from several threads.
pub trait ScanMeter: Send + Sync {
    /// Reserves bytes for a query: `least` plus a share of the remaining bytes, at most `most`. Returns the reserved
    /// number; a meter without a limit returns `None` and reserves `least` bytes.
    ///
    /// # Errors
    /// [`WarehouseError::OverCap`] if fewer than `least` bytes remain; then no bytes are reserved.
    fn reserve_bytes(&self, least: u64, most: u64) -> Result<Option<u64>, WarehouseError>;
    /// Records that the query was billed for `billed` bytes and releases the rest of `reserved`.
    fn record_billed(&self, reserved: u64, billed: u64);
    /// Returns true if the meter limits queries; false if it only counts.
    fn has_limit(&self) -> bool {
        true
    }
}

/// The meters that apply to a query.
#[derive(Clone, Default)]
pub struct Meters(Vec<Arc<dyn ScanMeter>>);

impl Meters {
    /// Returns true if no meter applies.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if any meter limits queries.
    pub(crate) fn has_limit(&self) -> bool {
        self.0.iter().any(|meter| meter.has_limit())
    }

    /// Adds a meter for the query.
    pub(crate) fn add(&mut self, meter: Arc<dyn ScanMeter>) {
        self.0.push(meter);
    }
}

impl fmt::Debug for Meters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Meters({})", self.0.len())
    }
}

impl PartialEq for Meters {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(|(a, b)| Arc::ptr_eq(a, b))
    }
}

impl Eq for Meters {}

/// Computes the bytes that a query may use when `left` bytes of a limit remain: `least` plus a share of the rest, at
/// most `most`. Returns `None` if nothing or less than `least` remains.
pub fn compute_share(least: u64, most: u64, left: u64) -> Option<u64> {
    let rest = left.checked_sub(least).filter(|_| left > 0)?;
    Some((least + rest / SHARE).min(most).max(least))
}

/// The bytes reserved for one query. If the billed amount is never recorded, the estimate counts.
pub(crate) struct Bill {
    reserved: Vec<(Arc<dyn ScanMeter>, u64)>,
    least: u64,
    counts: u64,
    most: u64,
}

impl Bill {
    /// Reserves bytes for a query: `least` is its estimate, `limit` the maximum that it may be billed for or read.
    pub(crate) fn reserve_bytes(meters: &Meters, least: u64, limit: u64) -> Result<Self, WarehouseError> {
        let least = least.min(limit);
        let mut bill = Self { reserved: Vec::new(), least, counts: 0, most: limit };
        for meter in &meters.0 {
            // On an error, the drop releases the reservations of the previous meters, because nothing counts yet.
            let granted = meter.reserve_bytes(least, limit)?;
            bill.most = bill.most.min(granted.unwrap_or(limit));
            bill.reserved.push((Arc::clone(meter), granted.unwrap_or(least)));
        }
        bill.counts = least;
        Ok(bill)
    }

    /// Returns the maximum number of bytes that the query may be billed for or read.
    pub(crate) fn max_bytes(&self) -> u64 {
        self.most
    }

    /// Returns the estimated number of bytes.
    pub(crate) fn estimated_bytes(&self) -> u64 {
        self.least
    }

    /// Counts the full limit until the billed amount is known, for queries without an estimate.
    pub(crate) fn counts_all(&mut self) {
        if self.most < u64::MAX {
            self.counts = self.most;
        }
    }

    /// Records the bytes that the query was billed for or read, if known.
    pub(crate) fn record_billed(mut self, billed: Option<u64>) {
        self.counts = billed.unwrap_or(self.counts);
    }

    /// Returns true if at least one meter applies.
    pub(crate) fn is_metered(&self) -> bool {
        !self.reserved.is_empty()
    }
}

impl Drop for Bill {
    fn drop(&mut self) {
        for (meter, reserved) in self.reserved.drain(..) {
            meter.record_billed(reserved, self.counts);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    const UNIT: u64 = 1 << 20;
    const LEAST: u64 = 10 * UNIT;

    /// A meter with a fixed limit.
    struct Cap {
        most: u64,
        taken: Mutex<u64>,
    }

    impl ScanMeter for Cap {
        fn reserve_bytes(&self, least: u64, most: u64) -> Result<Option<u64>, WarehouseError> {
            let mut taken = self.taken.lock().unwrap();
            let Some(granted) = compute_share(least, most, self.most - *taken) else {
                let (whose, spent) = (crate::Limited::Question, *taken);
                return Err(WarehouseError::OverCap { whose, most: self.most, spent, ahead: least, price: None });
            };
            *taken += granted;
            Ok(Some(granted))
        }

        fn record_billed(&self, reserved: u64, billed: u64) {
            *self.taken.lock().unwrap() -= reserved - billed.min(reserved);
        }
    }

    fn capped_meter(most: u64) -> (Arc<Cap>, Meters) {
        let cap = Arc::new(Cap { most, taken: Mutex::default() });
        (cap.clone(), Meters(vec![cap]))
    }

    #[test]
    fn queries_at_the_same_time_cannot_pass_a_limit_together() {
        let (cap, meters) = capped_meter(500 * UNIT);
        let taken = || *cap.taken.lock().unwrap() / UNIT;
        let first = Bill::reserve_bytes(&meters, 300 * UNIT, 10 << 30).unwrap();
        assert_eq!(first.max_bytes(), 350 * UNIT, "its estimate and a share of the rest");
        let second = Bill::reserve_bytes(&meters, 130 * UNIT, 10 << 30).unwrap();
        assert_eq!(second.max_bytes(), 135 * UNIT);
        assert!(matches!(Bill::reserve_bytes(&meters, 20 * UNIT, 10 << 30), Err(WarehouseError::OverCap { .. })));
        first.record_billed(Some(310 * UNIT));
        assert_eq!(taken(), 445);
        drop(second);
        assert_eq!(taken(), 440, "what nobody told counts as estimated");
        Bill::reserve_bytes(&meters, 0, 10 << 30).unwrap().record_billed(Some(0));
        assert_eq!(taken(), 440);
        assert_eq!(
            (compute_share(0, 100, 0), compute_share(10, 100, 9), compute_share(10, 100, 10)),
            (None, None, Some(10))
        );
        assert_eq!(
            (compute_share(10, 15, 1_000), compute_share(1, u64::MAX, u64::MAX)),
            (Some(15), Some(1 + (u64::MAX - 1) / SHARE))
        );
    }

    #[test]
    fn a_meter_without_a_limit_counts_and_bounds_nothing() {
        struct Counts(Mutex<u64>);
        impl ScanMeter for Counts {
            fn reserve_bytes(&self, least: u64, _: u64) -> Result<Option<u64>, WarehouseError> {
                *self.0.lock().unwrap() += least;
                Ok(None)
            }
            fn record_billed(&self, reserved: u64, billed: u64) {
                let mut sum = self.0.lock().unwrap();
                *sum = *sum + billed - reserved;
            }
        }
        let counts = Arc::new(Counts(Mutex::default()));
        let bill = Bill::reserve_bytes(&Meters(vec![counts.clone()]), LEAST, 10 << 30).unwrap();
        assert_eq!((bill.max_bytes(), *counts.0.lock().unwrap()), (10 << 30, LEAST));
        bill.record_billed(Some(20 * LEAST));
        assert_eq!(*counts.0.lock().unwrap(), 20 * LEAST, "a query over many small tables");
    }

    #[test]
    fn a_limit_that_refuses_leaves_the_others_as_they_were() {
        let ((large, mut meters), (_, small)) = (capped_meter(1 << 40), capped_meter(LEAST));
        meters.0.extend(small.0);
        assert!(Bill::reserve_bytes(&meters, 1 << 30, 10 << 30).is_err());
        assert_eq!(*large.taken.lock().unwrap(), 0);
    }
}
