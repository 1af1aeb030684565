//! The random databases on Spark.

use super::engines::Engine;
use vitrine_domain::Catalog;
use vitrine_sql::with_escaped_quotes;
use vitrine_test_servers::databricks_server::DatabricksServer;
use vitrine_warehouse::WarehouseUri;

/// The tables of the other engines with names and types of their columns, each a view over its rows, because Spark
/// needs a second to create a table.
const TABLES: [(&str, &[(&str, &str)]); 5] = [
    ("maker", &[("id", "INT"), ("name", "STRING"), ("founded", "DATE"), ("parent_id", "INT")]),
    (
        "item",
        &[
            ("id", "INT"),
            ("maker_id", "INT"),
            ("label", "STRING"),
            ("price", "DECIMAL(10, 2)"),
            ("made", "DATE"),
            ("fragile", "BOOLEAN"),
        ],
    ),
    (
        "sale",
        &[
            ("item_id", "INT"),
            ("quantity", "INT"),
            ("amount", "DECIMAL(10, 2)"),
            ("sold", "TIMESTAMP_NTZ"),
            ("facts", "STRING"),
        ],
    ),
    ("tag", &[("tagged_id", "INT"), ("word", "STRING")]),
    (
        "trip",
        &[
            ("from_id", "INT"),
            ("to_id", "INT"),
            ("weight", "STRING"),
            ("due", "STRING"),
            ("posted", "STRING"),
            ("seen", "STRING"),
            ("logged", "STRING"),
            ("ended", "STRING"),
            ("fee", "STRING"),
        ],
    ),
];

impl Engine {
    /// Recreates the server's schema with the rows of a script. Its keys come from another engine's catalog, as if they
    /// had been inferred.
    pub async fn of_databricks(server: &DatabricksServer, script: &str, keys: &Catalog) -> Self {
        for (name, columns) in TABLES {
            let insert = format!("INSERT INTO {name} VALUES ");
            let rows: Vec<&str> =
                script.split('\n').filter_map(|line| line.strip_prefix(&insert)?.strip_suffix(';')).collect();
            let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
            let typed: Vec<String> =
                columns.iter().map(|(name, declared)| format!("CAST({name} AS {declared}) AS {name}")).collect();
            let nothing = format!("({})", vec!["NULL"; columns.len()].join(", "));
            let (rows, none) = if rows.is_empty() { (nothing, " WHERE false") } else { (rows.join(", "), "") };
            let (typed, names) = (typed.join(", "), names.join(", "));
            let view =
                format!("CREATE OR REPLACE VIEW {name} AS SELECT {typed} FROM VALUES {rows} AS v({names}){none}");
            server.script(&[with_escaped_quotes(&view)]).await;
        }
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
