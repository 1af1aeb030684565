//! State that outlives one command, by kind; the commands are in the parent's modules.

pub(crate) mod arranged;
pub(crate) mod background;
pub(crate) mod chosen_files;
pub(crate) mod code;
pub(crate) mod imports;
pub(crate) mod jobs;
pub(crate) mod model_registry;
pub(crate) mod prefills;
pub(crate) mod readable;
pub(crate) mod results;
pub(crate) mod rewritings;
pub(crate) mod runs;
pub(crate) mod schema_size;
pub(crate) mod setup;
pub(crate) mod spool;
pub(crate) mod stamp;
pub(crate) mod table_index;
pub(crate) mod throttle;
pub(crate) mod waits;
pub(crate) mod warehouses;
pub(crate) mod work;
