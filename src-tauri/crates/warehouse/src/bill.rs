//! What queries may be billed for, or read, beyond a limit of their own: of a question, a connection, a month. Bytes are set aside before a
//! query runs, and given back or kept once it is known what it was billed for. So queries that run at the same time cannot pass a
//! limit together.

use crate::WarehouseError;
use std::fmt;
use std::sync::Arc;

/// The part of what is left beyond an estimate that one query gets: estimates do not count all that is billed or read, and queries
/// at the same time want something, too.
const SHARE: u64 = 4;

/// Counts what queries are billed for. Calls are short; they may come from several threads.
pub trait ScanMeter: Send + Sync {
    /// Sets bytes aside for a query: `least` of them and its share of what is left, `most` at most. Gives how many; `None` where
    /// nothing is limited, and `least` are set aside.
    ///
    /// # Errors
    /// [`WarehouseError::OverCap`] where fewer are left; then nothing is set aside.
    fn reserve_bytes(&self, least: u64, most: u64) -> Result<Option<u64>, WarehouseError>;
    /// The query was billed for `billed` bytes; the rest of `reserved` is given back.
    fn record_billed(&self, reserved: u64, billed: u64);
    /// Whether it limits anything, or only counts.
    fn has_limit(&self) -> bool {
        true
    }
}

/// The meters that count for a query.
#[derive(Clone, Default)]
pub struct Meters(Vec<Arc<dyn ScanMeter>>);

impl Meters {
    /// Whether nobody counts.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether any of them limits a query.
    pub(crate) fn has_limit(&self) -> bool {
        self.0.iter().any(|meter| meter.has_limit())
    }

    /// One more counts.
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

/// What a query gets of the `left` bytes of a limit: the `least` that it needs and a share of the rest, `most` at most. `None` where
/// too few are left, or none.
pub fn compute_share(least: u64, most: u64, left: u64) -> Option<u64> {
    let rest = left.checked_sub(least).filter(|_| left > 0)?;
    Some((least + rest / SHARE).min(most).max(least))
}

/// What was set aside for one query. Unless it is settled, the estimate counts: nobody told what was billed.
pub(crate) struct Bill {
    reserved: Vec<(Arc<dyn ScanMeter>, u64)>,
    least: u64,
    counts: u64,
    most: u64,
}

impl Bill {
    /// Sets aside what a query may be billed for, or read: `least` bytes, as it is estimated, and `limit` at most.
    pub(crate) fn reserve_bytes(meters: &Meters, least: u64, limit: u64) -> Result<Self, WarehouseError> {
        let least = least.min(limit);
        let mut bill = Self { reserved: Vec::new(), least, counts: 0, most: limit };
        for meter in &meters.0 {
            // An error gives back what the meters before have set aside: nothing counts yet.
            let granted = meter.reserve_bytes(least, limit)?;
            bill.most = bill.most.min(granted.unwrap_or(limit));
            bill.reserved.push((Arc::clone(meter), granted.unwrap_or(least)));
        }
        bill.counts = least;
        Ok(bill)
    }

    /// Bytes that the query may be billed for, or read.
    pub(crate) fn max_bytes(&self) -> u64 {
        self.most
    }

    /// Bytes that it is estimated to take.
    pub(crate) fn estimated_bytes(&self) -> u64 {
        self.least
    }

    /// Nobody can estimate the query: until it is known what it takes, all that it may take counts, where that is limited.
    pub(crate) fn counts_all(&mut self) {
        if self.most < u64::MAX {
            self.counts = self.most;
        }
    }

    /// What the query was billed for or read, where that is known.
    pub(crate) fn record_billed(mut self, billed: Option<u64>) {
        self.counts = billed.unwrap_or(self.counts);
    }

    /// Whether anybody counts.
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

    /// A meter with so many bytes.
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
