//! A wide table of orders in a Parquet file with typical columns: keys, categories, money, times, dates as text, notes
//! with quotes, NULLs, JSON.

use anyhow::Result;
use duckdb::Connection;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

#[derive(Serialize, Deserialize)]
pub struct Orders {
    pub rows: u64,
    pub path: PathBuf,
}

/// Writes the file. Every cell is a function of its row number.
pub async fn make(orders: Orders) -> Result<()> {
    let Orders { rows, path } = orders;
    let connection = engine()?;
    connection.execute_batch(&format!(
        "COPY (
           SELECT i AS order_id,
                  (hash(i) % 900000)::INTEGER AS customer_id,
                  ['Germany', 'France', 'United States', 'Brazil', 'Japan', 'Kenya', 'India', 'Poland'][(hash(i, 1) % 8)::INTEGER + 1] AS country,
                  ['new', 'paid', 'shipped', 'returned'][(hash(i, 2) % 4)::INTEGER + 1] AS status,
                  ['Oak', 'Steel', 'Linen', 'Clay', 'Glass'][(hash(i, 3) % 5)::INTEGER + 1] || ' '
                    || ['kettle', 'chair', 'lamp', 'table', 'bowl', 'desk'][(hash(i, 4) % 6)::INTEGER + 1] || ' ' || (hash(i, 5) % 4000) AS product,
                  (hash(i, 6) % 20 + 1)::SMALLINT AS quantity,
                  ((hash(i, 7) % 5000000) / 100)::DECIMAL(12, 2) AS amount,
                  (hash(i, 8) % 1000000) / 1000000.0 AS discount,
                  TIMESTAMP '2019-01-01' + INTERVAL (hash(i, 9) % 157680000) SECOND AS ordered_at,
                  strftime(DATE '2019-01-01' + (hash(i, 10) % 1825)::INTEGER, '%d.%m.%Y') AS due,
                  hash(i, 11) % 3 = 0 AS is_gift,
                  CASE hash(i, 12) % 10 WHEN 0 THEN 'call first, \"' || (hash(i, 13) % 1000) || '\"' WHEN 1 THEN 'leave at the door' END AS note,
                  '{{\"channel\": \"' || ['web', 'shop', 'phone'][(hash(i, 14) % 3)::INTEGER + 1] || '\", \"visits\": ' || (hash(i, 15) % 30) || '}}' AS extra
           FROM range({rows}) AS t(i)
         ) TO '{}' (FORMAT parquet)",
        quoted(&path)
    ))?;
    Ok(())
}

/// Opens plain DuckDB with the memory limit of a warehouse, as the reference for measurements.
pub fn engine() -> Result<Connection> {
    let connection = Connection::open_in_memory()?;
    let memory = vitrine_warehouse::OpenOptions::default().memory_bytes;
    connection.execute_batch(&format!("SET memory_limit = '{memory}B'"))?;
    Ok(connection)
}

/// Escapes a path for an SQL literal.
pub fn quoted(path: &Path) -> String {
    path.to_string_lossy().replace('\'', "''")
}
