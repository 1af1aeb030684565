//! Size of a schema's text, cached because rendering thousands of tables takes long.

use crate::state::work::run_blocking;
use std::sync::Arc;
use tokio::sync::Mutex;
use vitrine_domain::{AppError, Catalog, Profile};

/// Cached token count of a schema's text.
#[derive(Default)]
pub(crate) struct SchemaSize(Mutex<Option<Counted>>);

struct Counted {
    catalog: Arc<Catalog>,
    /// True if all tables were profiled when the tokens were counted.
    complete: bool,
    tokens: u32,
}

impl SchemaSize {
    /// Returns the tokens that `count` finds in the catalog and profile. They are counted again for another catalog and once the profile is
    /// complete. While the profile grows, the earlier count is returned, because it is only used for estimates.
    pub(crate) async fn count_tokens(
        &self,
        catalog: Arc<Catalog>,
        profile: Arc<Profile>,
        count: impl FnOnce(&Catalog, &Profile) -> u32 + Send + 'static,
    ) -> Result<u32, AppError> {
        let mut known = self.0.lock().await;
        let complete = profile.complete;
        if let Some(counted) = known.as_ref()
            && Arc::ptr_eq(&counted.catalog, &catalog)
            && counted.complete == complete
        {
            return Ok(counted.tokens);
        }
        let counted = catalog.clone();
        let tokens = run_blocking(move || Ok(count(&counted, &profile))).await?;
        *known = Some(Counted { catalog, complete, tokens });
        Ok(tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};
    use vitrine_domain::Dialect;

    fn shop_catalog() -> Arc<Catalog> {
        Arc::new(Catalog {
            database: "shop".into(),
            dialect: Dialect::Sqlite,
            search_path: Vec::new(),
            own_functions: Vec::new(),
            fingerprint: String::new(),
            tables: Vec::new(),
        })
    }

    #[tokio::test]
    async fn a_schema_is_counted_once_until_there_is_another_one_or_its_profile_is_whole() {
        let (size, counts) = (SchemaSize::default(), Arc::new(AtomicU32::new(0)));
        let ask = async |catalog: &Arc<Catalog>, complete: bool| {
            let profile = Arc::new(Profile { complete, ..Profile::default() });
            let counts = counts.clone();
            size.count_tokens(catalog.clone(), profile, move |_, _| counts.fetch_add(1, Ordering::Relaxed) + 1)
                .await
                .unwrap()
        };
        let (first, second) = (shop_catalog(), shop_catalog());
        assert_eq!([ask(&first, false).await, ask(&first, false).await], [1, 1], "while tables are profiled");
        assert_eq!([ask(&first, true).await, ask(&first, true).await], [2, 2]);
        assert_eq!([ask(&second, true).await, ask(&second, true).await], [3, 3], "with inferred keys, or read again");
        let both = tokio::join!(ask(&first, true), ask(&first, true));
        assert_eq!(both, (4, 4), "two at once wait for one count");
    }
}
