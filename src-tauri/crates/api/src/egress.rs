//! Egress: the data of a warehouse that remote models may receive, and the requests that were sent.

use crate::app::App;
use crate::sources::parse_joined;
use crate::state::warehouses::OpenWarehouse;
use crate::types::EgressInfo;
use std::sync::Arc;
use vitrine_domain::{AppError, EgressPolicy, ErrorCode};
use vitrine_words::tr;

impl App {
    /// Returns the egress policy of a warehouse, and its columns that look personal if it is profiled.
    pub async fn egress(&self, warehouse: String) -> Result<EgressInfo, AppError> {
        let open = self.ensure_open(&warehouse).await?;
        let policy = self.egress_of(&open.uri).await?;
        self.with_personal(open, policy).await
    }

    /// Sets the egress policy of a warehouse.
    ///
    /// # Errors
    /// When a column in the policy does not exist, because a typing error would leave the intended column unmasked.
    pub async fn set_egress(&self, warehouse: String, policy: EgressPolicy) -> Result<EgressInfo, AppError> {
        let open = self.ensure_open(&warehouse).await?;
        if parse_joined(&open.uri).is_some() {
            return Err(AppError::new(ErrorCode::Usage, tr!("Several warehouses have no policy of their own"))
                .with_hint(tr!("Set the policy of each source; the strictest applies")));
        }
        let catalog = open.catalog();
        for name in policy.masked.iter().chain(&policy.allowed) {
            let column =
                name.rsplit_once('.').and_then(|(table, column)| catalog.find_table(table)?.find_column(column));
            if column.is_none() {
                let message = tr!("Column '{name}' not found in {database}", name, database = catalog.database);
                return Err(AppError::new(ErrorCode::NotFound, message).with_hint(tr!("Name it as TABLE.COLUMN")));
            }
        }
        let (uri, kept) = (open.uri.clone(), policy.clone());
        self.with_store(move |store| store.set_egress(&uri, &kept)).await?;
        self.with_personal(open, policy).await
    }

    /// Returns the egress policy of an address; for several sources the strictest level of all, with the columns of each.
    pub(crate) async fn egress_of(&self, uri: &str) -> Result<EgressPolicy, AppError> {
        let Some(sources) = parse_joined(uri) else { return self.stored_egress(uri).await };
        let mut joined = EgressPolicy { mask_personal: false, ..EgressPolicy::default() };
        for (name, address) in sources {
            let own = self.stored_egress(&address).await?;
            let named =
                |columns: Vec<String>| columns.into_iter().map(|column| format!("{name}.{column}")).collect::<Vec<_>>();
            joined.level = joined.level.min(own.level);
            joined.mask_personal |= own.mask_personal;
            joined.allowed.extend(named(own.allowed));
            joined.masked.extend(named(own.masked));
        }
        Ok(joined)
    }

    async fn stored_egress(&self, uri: &str) -> Result<EgressPolicy, AppError> {
        let uri = uri.to_owned();
        self.with_store(move |store| store.egress_policy(&uri)).await
    }

    async fn with_personal(&self, open: Arc<OpenWarehouse>, policy: EgressPolicy) -> Result<EgressInfo, AppError> {
        let personal = vitrine_catalog::personal_columns(&open.catalog(), &open.profile(), &policy);
        Ok(EgressInfo { policy, personal })
    }
}
