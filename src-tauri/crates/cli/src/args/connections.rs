//! Arguments of `vitrine connections`.

use clap::{Args, Subcommand, ValueEnum};
use vitrine_domain::Environment;
use vitrine_domain::money::parse_usd;

/// `vitrine connections`
#[derive(Debug, Subcommand)]
pub enum ConnectionsCommand {
    /// Give a database a name; nothing is connected to. A password in the address goes into the system's keychain
    Add(AddArgs),
    /// List the connections
    List {
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Test a connection stage by stage: found, reached, encrypted, signed in to, what can be read, what is not read-only
    Test {
        /// A connection's name, or an address
        #[arg(value_name = "NAME_OR_ADDRESS")]
        connection: String,
        /// Run the conformance suite as well: whether everything works here that Vitrine needs of a database. It reads no table,
        /// writes nothing, ends only sessions of its own, and takes some minutes
        #[arg(long)]
        full: bool,
        /// Print one JSON object; with --full one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Sign in to Google in the browser, for a BigQuery connection whose address names a client (client_id or client_file:
    /// one of the type "Desktop app" of Google Cloud's console). Opens one tab, and prints its address for a browser
    /// elsewhere
    #[command(name = "sign-in")]
    SignIn {
        /// Its name, or an address
        #[arg(value_name = "NAME_OR_ADDRESS")]
        connection: String,
        /// Only print the address, and open no tab
        #[arg(long)]
        no_browser: bool,
    },
    /// Remove a connection with its definitions and its password; the database and the runs on it stay
    Rm {
        /// Its name, or its address
        name: String,
    },
    /// Limit what queries that are billed by bytes (BigQuery) may be billed for, and what may be listed free of charge
    Limit(LimitArgs),
    /// Show what queries were billed for in a month, by connection, and the limits
    Spending {
        /// The month (UTC) as 2026-11; this one without it
        #[arg(long, value_name = "MONTH")]
        month: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Say whether a connection runs only SQL that was approved, text by text
    Approval {
        /// Its name, or its address
        name: String,
        /// `on` to run only approved SQL
        state: OnOff,
    },
    /// Give a connection another name
    Rename {
        /// Its name, or its address
        name: String,
        /// The new name
        new_name: String,
    },
}

/// `vitrine connections limit`
#[derive(Debug, Args)]
pub struct LimitArgs {
    /// Its name, or its address; without it the limit of all connections in a month is meant
    pub name: Option<String>,
    /// Limit on what all queries of one question are billed for (BigQuery) or read (ClickHouse): 50GB, 2TB, $5, or none
    #[arg(long, value_name = "LIMIT", value_parser = scan_limit, requires = "name")]
    pub question: Option<ScanLimit>,
    /// Limit on what all queries of a calendar month (UTC) are billed for or read: 500GB, 2TB, $20, or none
    #[arg(long, value_name = "LIMIT", value_parser = scan_limit)]
    pub month: Option<ScanLimit>,
    /// Your price of a tebibyte in US dollars; limits in money need it for ClickHouse
    #[arg(long, value_name = "USD", value_parser = parse_usd, requires = "name")]
    pub price: Option<u64>,
    /// Rows of each table that may be read ahead for profile and value index, of a warehouse in the cloud; 0 reads none
    #[arg(long, value_name = "N", requires = "name")]
    pub preview_rows: Option<u32>,
    /// Tables that may be read ahead
    #[arg(long, value_name = "N", requires = "name")]
    pub preview_tables: Option<u32>,
    /// Bytes that queries for approximate statistics of large tables may read once, by the engine's estimate (BigQuery and
    /// Snowflake): 1GB, or none, the default
    #[arg(long, value_name = "LIMIT", value_parser = byte_limit, requires = "name")]
    pub profile_bytes: Option<u64>,
}

/// A limit in bytes or in money; `None` removes both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScanLimit {
    /// Bytes that are billed or read.
    Bytes(u64),
    /// Millionths of a US dollar.
    Money(u64),
    /// Removes the limit in bytes and in money.
    None,
}

/// Parses `50GB`, `1.5TB`, `$5` or `none`. Units are powers of 1,000, or of 1,024 with an i (`GiB`).
fn scan_limit(text: &str) -> Result<ScanLimit, String> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("none") {
        return Ok(ScanLimit::None);
    }
    if text.starts_with('$') {
        return parse_usd(text).map(ScanLimit::Money);
    }
    let wrong = || format!("'{text}' is no limit: write 50GB, 2TB, $5 or none");
    let at = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(wrong)?;
    let (amount, unit) = text.split_at(at);
    let units = [
        ("MB", 1e6),
        ("GB", 1e9),
        ("TB", 1e12),
        ("MIB", 1_048_576.0),
        ("GIB", 1_073_741_824.0),
        ("TIB", 1_099_511_627_776.0),
    ];
    let size =
        units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit)).map(|(_, size)| size).ok_or_else(wrong)?;
    let amount: f64 = amount.trim().parse().map_err(|_| wrong())?;
    // Integers below 2^53, which is 9 petabytes, are exact.
    let bytes = amount * size;
    if amount.is_finite() && (0.0..9e15).contains(&bytes) { Ok(ScanLimit::Bytes(bytes as u64)) } else { Err(wrong()) }
}

/// Parses `1GB` or `none`, which is 0.
fn byte_limit(text: &str) -> Result<u64, String> {
    match scan_limit(text)? {
        ScanLimit::Bytes(bytes) => Ok(bytes),
        ScanLimit::None => Ok(0),
        ScanLimit::Money(_) => Err("write a number of bytes, such as 1GB, or none".to_owned()),
    }
}

/// `vitrine connections add`
#[derive(Debug, Args)]
pub struct AddArgs {
    /// The connection's name; every command accepts it in place of an address
    pub name: String,
    /// sqlite:PATH, duckdb:PATH, file:PATH (data file or folder), postgresql://USER@HOST:PORT/DATABASE,
    /// mysql://USER@HOST:PORT/DATABASE, bigquery://PROJECT/DATASET, snowflake://USER@ACCOUNT/DATABASE/SCHEMA,
    /// clickhouse://USER@HOST:PORT/DATABASE, databricks://HOST/WAREHOUSE/CATALOG/SCHEMA, motherduck://REGION/DATABASE,
    /// adbc:DRIVER?uri=..., or a path alone. A server behind another machine is reached by SSH: postgresql://USER@HOST/DATABASE?ssh=USER@BASTION:PORT, or ?ssh=NAME of ~/.ssh/config
    pub address: String,
    /// The environment, shown with its colour beside every question: development, staging, production, or a word and a
    /// colour such as audit:violet
    #[arg(long, value_name = "NAME[:COLOUR]")]
    pub environment: Option<Environment>,
    /// A schema that questions may use; may be given several times. Without it all of them
    #[arg(long = "schema", value_name = "NAME")]
    pub schemas: Vec<String>,
    /// Run only SQL that was approved, text by text
    #[arg(long)]
    pub require_approval: bool,
}

/// The state of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnOff {
    On,
    Off,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_in_bytes_and_in_money() {
        let read = [("50GB", 50_000_000_000), ("1.5 tb", 1_500_000_000_000), ("2GiB", 2 << 30), ("0MB", 0)];
        for (text, bytes) in read {
            assert_eq!(scan_limit(text), Ok(ScanLimit::Bytes(bytes)), "{text}");
        }
        assert_eq!((scan_limit("$5"), scan_limit("None")), (Ok(ScanLimit::Money(5_000_000)), Ok(ScanLimit::None)));
        for wrong in ["", "50", "much", "-1GB", "nanGB", "1e30TB", "5 EUR", "$much"] {
            assert!(scan_limit(wrong).is_err(), "{wrong}");
        }
    }
}
