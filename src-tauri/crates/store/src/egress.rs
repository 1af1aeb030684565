//! The data that models may receive about a warehouse, by its address.

use crate::{Store, StoreError};
use vitrine_domain::{EgressLevel, EgressPolicy};

impl Store {
    /// Returns the policy of an address, or the default if none was stored.
    pub fn egress_policy(&self, uri: &str) -> Result<EgressPolicy, StoreError> {
        let Some(kept) = self.setting::<serde_json::Value>(&egress_of(uri))? else {
            return Ok(EgressPolicy::default());
        };
        Ok(serde_json::from_value(kept).unwrap_or_else(|error| {
            // A policy exists but is unreadable: only names may be sent until the user decides again.
            tracing::warn!(%error, "what may be told of a warehouse cannot be read");
            EgressPolicy { level: EgressLevel::Names, ..EgressPolicy::default() }
        }))
    }

    /// Stores the policy of an address. It remains when the warehouse is forgotten, and applies again when it is
    /// reopened.
    pub fn set_egress(&self, uri: &str, policy: &EgressPolicy) -> Result<(), StoreError> {
        self.set_setting(&egress_of(uri), policy)
    }

    /// Copies the policy to another address, unless that has one.
    pub fn move_egress(&self, from: &str, to: &str) -> Result<(), StoreError> {
        let kept = self.setting::<serde_json::Value>(&egress_of(from))?;
        match (kept, self.setting::<serde_json::Value>(&egress_of(to))?) {
            (Some(kept), None) => self.set_setting(&egress_of(to), &kept),
            _ => Ok(()),
        }
    }
}

pub(crate) fn egress_of(uri: &str) -> String {
    format!("egress:{uri}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_outlives_its_warehouse_and_one_that_cannot_be_read_allows_names_alone() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&dir.path().join("w.db")).unwrap();
        assert_eq!(store.egress_policy("sqlite:/a.db").unwrap(), EgressPolicy::default());
        let policy = EgressPolicy { level: EgressLevel::Profile, ..EgressPolicy::default() };
        store.set_egress("sqlite:/a.db", &policy).unwrap();
        // The address is not in the list of warehouses, so forgetting it fails.
        assert!(store.forget_warehouse("sqlite:/a.db").is_err());
        assert_eq!(store.egress_policy("sqlite:/a.db").unwrap(), policy);
        store.move_egress("sqlite:/a.db", "sqlite:/b.db").unwrap();
        assert_eq!(store.egress_policy("sqlite:/b.db").unwrap(), policy);
        store.set_setting("egress:sqlite:/c.db", &serde_json::json!({ "level": "whatever" })).unwrap();
        assert_eq!(store.egress_policy("sqlite:/c.db").unwrap().level, EgressLevel::Names);
    }
}
