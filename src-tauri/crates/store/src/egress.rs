//! What models may be told of a warehouse, by its address.

use crate::{Store, StoreError};
use vitrine_domain::{EgressLevel, EgressPolicy};

impl Store {
    /// The policy of an address, the default one where nothing was decided.
    pub fn egress(&self, uri: &str) -> Result<EgressPolicy, StoreError> {
        let Some(kept) = self.setting::<serde_json::Value>(&egress_of(uri))? else {
            return Ok(EgressPolicy::default());
        };
        Ok(serde_json::from_value(kept).unwrap_or_else(|error| {
            // Something was decided, and nobody knows what: nothing but names is told until it is decided again.
            tracing::warn!(%error, "what may be told of a warehouse cannot be read");
            EgressPolicy { level: EgressLevel::Names, ..EgressPolicy::default() }
        }))
    }

    /// Keeps the policy of an address. It stays when the warehouse is forgotten: whoever opens it again finds it as it was.
    pub fn set_egress(&self, uri: &str, policy: &EgressPolicy) -> Result<(), StoreError> {
        self.set_setting(&egress_of(uri), policy)
    }

    /// Carries the policy over to another address, where that has none.
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
        assert_eq!(store.egress("sqlite:/a.db").unwrap(), EgressPolicy::default());
        let policy = EgressPolicy { level: EgressLevel::Profile, ..EgressPolicy::default() };
        store.set_egress("sqlite:/a.db", &policy).unwrap();
        // It is on no list, and forgetting it says so.
        assert!(store.forget_warehouse("sqlite:/a.db").is_err());
        assert_eq!(store.egress("sqlite:/a.db").unwrap(), policy);
        store.move_egress("sqlite:/a.db", "sqlite:/b.db").unwrap();
        assert_eq!(store.egress("sqlite:/b.db").unwrap(), policy);
        store.set_setting("egress:sqlite:/c.db", &serde_json::json!({ "level": "whatever" })).unwrap();
        assert_eq!(store.egress("sqlite:/c.db").unwrap().level, EgressLevel::Names);
    }
}
