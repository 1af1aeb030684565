//! What queries and previews have to know of tables, as the catalog that was read last says it.

use super::address::ProjectAddress;
use super::partitions::PartitionFilter;
use super::shards::Group;
use vitrine_domain::TableName;

/// What is known of tables beyond their entries in the catalog.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub filters: Vec<PartitionFilter>,
    pub groups: Vec<Group>,
}

impl Known {
    /// The tables that a name with a star reads, by day.
    pub fn shard_names(&self, address: &ProjectAddress, name: &TableName) -> Option<&[String]> {
        let dataset = name.schema.as_deref().or(address.dataset())?;
        let group = self.groups.iter().find(|group| group.dataset == dataset && group.wildcard_name() == name.name)?;
        Some(&group.names)
    }
}
