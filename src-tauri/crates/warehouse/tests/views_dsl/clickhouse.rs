//! The random databases on ClickHouse's own engine.

use super::engines::Engine;
use vitrine_domain::Catalog;
use vitrine_test_servers::clickhouse_server::ClickhouseServer;
use vitrine_warehouse::WarehouseUri;

/// The tables of the other engines in ClickHouse's types. It has neither keys nor references.
const TABLES: [&str; 5] = [
    "CREATE TABLE maker (id Int32, name Nullable(String), founded Nullable(Date32), parent_id Nullable(Int32)) ENGINE = Memory",
    "CREATE TABLE item (id Int32, maker_id Nullable(Int32), label Nullable(String), price Nullable(Decimal(10, 2)), made Nullable(Date32), \
       fragile Nullable(Bool)) ENGINE = Memory",
    "CREATE TABLE sale (item_id Nullable(Int32), quantity Nullable(Int32), amount Nullable(Decimal(10, 2)), sold Nullable(DateTime64(0)), \
       facts Nullable(String)) ENGINE = Memory",
    "CREATE TABLE tag (tagged_id Int32, word String) ENGINE = Memory",
    "CREATE TABLE trip (from_id Nullable(Int32), to_id Nullable(Int32), weight Nullable(String), due Nullable(String), posted Nullable(String), \
       seen Nullable(String), logged Nullable(String), ended Nullable(String), fee Nullable(String)) ENGINE = Memory",
];

impl Engine {
    /// Recreates the server's database with the rows of a script. Its keys come from another engine's catalog, as if
    /// they had been inferred.
    pub async fn of_clickhouse(server: &ClickhouseServer, script: &str, keys: &Catalog) -> Self {
        let mut statements = Vec::new();
        for table in TABLES {
            let name = table.split(' ').nth(2).expect("a name");
            statements.push(format!("DROP TABLE IF EXISTS {name} SYNC"));
            statements.push(table.to_owned());
            let insert = format!("INSERT INTO {name} VALUES ");
            let rows: Vec<&str> =
                script.split('\n').filter_map(|line| line.strip_prefix(&insert)?.strip_suffix(';')).collect();
            if !rows.is_empty() {
                statements.push(format!("{insert}{}", rows.join(", ")));
            }
        }
        server.script(&statements).await;
        let mut engine = Self::of(&WarehouseUri::parse(&server.address()).expect("an address")).await;
        for table in &mut engine.catalog.tables {
            let known = keys.tables.iter().find(|known| known.name.name == table.name.name).expect("the same tables");
            table.primary_key.clone_from(&known.primary_key);
            table.unique_keys.clone_from(&known.unique_keys);
            table.foreign_keys.clone_from(&known.foreign_keys);
        }
        engine
    }
}
