//! Information about tables that queries and previews need, from the catalog that was read last.

use super::address::ProjectAddress;
use super::partitions::PartitionFilter;
use super::shards::Group;
use vitrine_domain::TableName;

/// Properties of tables that their catalog entries do not contain.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub filters: Vec<PartitionFilter>,
    pub groups: Vec<Group>,
}

impl Known {
    /// Returns the names of the daily tables that a wildcard name reads.
    pub fn shard_names(&self, address: &ProjectAddress, name: &TableName) -> Option<&[String]> {
        let dataset = name.schema.as_deref().or(address.dataset())?;
        let group = self.groups.iter().find(|group| group.dataset == dataset && group.wildcard_name() == name.name)?;
        Some(&group.names)
    }
}
