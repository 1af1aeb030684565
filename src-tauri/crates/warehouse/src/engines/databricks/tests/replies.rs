//! Databricks' replies with random faults: no panics, and no rows that were not sent or are invalid. Complete replies
//! are parsed by an independent program below.

use super::super::DatabricksWarehouse;
use crate::engine::Engine;
use crate::{Limits, OpenOptions, WarehouseError, WarehouseUri, read_page};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;
use vitrine_test_servers::spoiled::{Spoiling, spoil, spoilings};

const STATEMENTS: &str = "/api/2.0/sql/statements";
const CHUNK: &str = "/api/2.0/sql/statements/s-1/result/chunks/1?row_offset=2";

/// Returns the replies to a statement, to its status request, and to the request for its second chunk, as documented by
/// Databricks.
fn replies() -> [Value; 3] {
    let column = |name: &str, declared: &str, at: u32| json!({"name": name, "type_text": declared, "type_name": declared, "position": at});
    let columns = [column("n", "BIGINT", 0), column("total", "DECIMAL(10,2)", 1), column("name", "STRING", 2)];
    [
        json!({"statement_id": "s-1", "status": {"state": "PENDING"}}),
        json!({
            "statement_id": "s-1",
            "status": {"state": "SUCCEEDED"},
            "manifest": {
                "format": "JSON_ARRAY",
                "schema": {"column_count": 3, "columns": columns},
                "total_chunk_count": 2,
                "total_row_count": 3,
                "truncated": false,
            },
            "result": {
                "chunk_index": 0, "row_offset": 0, "row_count": 2, "next_chunk_index": 1, "next_chunk_internal_link": CHUNK,
                "data_array": [["1", "10.50", "Ann"], ["2", null, "B\u{e9}a"]],
            },
        }),
        json!({"chunk_index": 1, "row_offset": 2, "row_count": 1, "data_array": [["3", "0.10", null]]}),
    ]
}

/// A workspace that answers the program's own queries correctly, and other queries with programmed replies.
struct Workspace {
    port: u16,
    told: Arc<Mutex<[Vec<u8>; 3]>>,
}

impl Workspace {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let told: Arc<Mutex<[Vec<u8>; 3]>> = Arc::default();
        let shared = told.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let told = shared.clone();
                std::thread::spawn(move || serve(stream, &told));
            }
        });
        Self { port, told }
    }

    async fn open(&self) -> DatabricksWarehouse {
        let uri = format!("databricks://token:secret@127.0.0.1:{}/abc123/main/shop", self.port);
        let uri = WarehouseUri::parse(&uri).unwrap();
        DatabricksWarehouse::open(uri.server_address().unwrap().clone(), &OpenOptions::default()).await.unwrap()
    }
}

fn serve(mut stream: TcpStream, told: &Mutex<[Vec<u8>; 3]>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut first, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or_default() == 0 || line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if first.is_empty() {
            first = line;
        }
    }
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    let [begun, done, chunk] = told.lock().unwrap().clone();
    let answer = match first.split(' ').nth(1).unwrap_or_default() {
        path if path.ends_with("/cancel") => b"{}".to_vec(),
        CHUNK => chunk,
        STATEMENTS if String::from_utf8_lossy(&body).contains("DESCRIBE SCHEMA") => {
            let mut own = replies()[1].clone();
            own["result"] = json!({"data_array": []});
            own["manifest"]["total_row_count"] = 0.into();
            own.to_string().into_bytes()
        }
        STATEMENTS => begun,
        _ => done,
    };
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", answer.len());
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&answer));
}

/// Returns the rows of a result that is complete by its own statement; `None` if it is incomplete or missing.
fn wanted(replies: &[Value; 3]) -> Option<Vec<Vec<Option<String>>>> {
    let [begun, done, chunk] = replies;
    begun.get("statement_id")?.as_str()?;
    done.get("statement_id")?.as_str()?;
    let manifest = done.get("manifest")?;
    let columns = manifest.pointer("/schema/columns")?.as_array()?;
    let is_named = |column: &Value| column.get("name").is_some_and(Value::is_string);
    if done.pointer("/status/state")? != "SUCCEEDED" || columns.is_empty() || !columns.iter().all(is_named) {
        return None;
    }
    let (mut rows, mut part) = (Vec::new(), done.get("result").cloned().unwrap_or_default());
    loop {
        match part.get("data_array") {
            None | Some(Value::Null) => {}
            found => rows.extend(found?.as_array()?.clone()),
        }
        match part.get("next_chunk_internal_link") {
            None | Some(Value::Null) => break,
            Some(link) if link == "" => break,
            // Only this link leads to another chunk.
            Some(link) if link == CHUNK && rows.len() < 1_000 => part = chunk.clone(),
            Some(_) => return None,
        }
    }
    let cell = |cell: &Value| match cell {
        Value::Null => Some(None),
        Value::String(text) => Some(Some(text.clone())),
        _ => None,
    };
    let rows = rows.iter().map(|row| row.as_array()?.iter().map(cell).collect::<Option<Vec<_>>>());
    let rows: Vec<Vec<Option<String>>> = rows.collect::<Option<_>>()?;
    let is_whole = manifest.get("total_row_count")?.as_u64()? == rows.len() as u64
        && manifest.get("truncated").and_then(Value::as_bool) != Some(true)
        && rows.iter().all(|row| row.len() == columns.len());
    is_whole.then_some(rows)
}

/// Returns true if two cells are equal: as text, or as numbers if the type was changed.
fn same(found: &Option<String>, sent: &Option<String>) -> bool {
    let number = |text: &Option<String>| text.as_ref().and_then(|text| text.parse::<f64>().ok());
    found == sent || (number(found).is_some() && number(found) == number(sent))
}

async fn asked(warehouse: &DatabricksWarehouse) -> Result<Vec<Vec<Option<String>>>, WarehouseError> {
    // A statement that never finishes is stopped by its time limit.
    let limits = Limits { timeout: Duration::from_millis(400), ..Limits::default() };
    let batches =
        warehouse.query_text("SELECT n, total, name FROM t".to_owned(), limits, CancellationToken::new()).await?;
    Ok(read_page(batches, 10_000).await?.rows)
}

#[test]
fn replies_that_are_spoiled_give_an_error_or_the_rows_that_were_sent() {
    let (runtime, workspace) = (Runtime::new().unwrap(), Workspace::start());
    let warehouse = runtime.block_on(workspace.open());
    let tell = |replies: [Vec<u8>; 3]| *workspace.told.lock().unwrap() = replies;
    let bytes = |replies: &[Value; 3]| replies.clone().map(|reply| reply.to_string().into_bytes());
    tell(bytes(&replies()));
    let whole = runtime.block_on(asked(&warehouse)).unwrap();
    assert_eq!(Some(whole), wanted(&replies()), "as it should be");
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(spoilings in spoilings(3), cut in prop::option::weighted(0.2, (0..3_usize, 0.0..1.0_f64)))| {
        let mut replies = replies();
        spoilings.iter().for_each(|one: &Spoiling| spoil(&mut replies[one.reply], one));
        let mut sent = bytes(&replies);
        let mut is_cut = false;
        if let Some((reply, share)) = cut {
            let length = (sent[reply].len() as f64 * share) as usize;
            is_cut = serde_json::from_slice::<Value>(&sent[reply][..length]).is_err();
            sent[reply].truncate(length);
        }
        tell(sent);
        let found = runtime.block_on(asked(&warehouse));
        if let Ok(found) = found {
            let wanted = wanted(&replies);
            prop_assert!(wanted.is_some(), "{found:?} of what is not whole: {replies:#?}");
            let wanted = wanted.unwrap_or_default();
            let is_same = found.len() == wanted.len()
                && found.iter().zip(&wanted).all(|(a, b)| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)));
            prop_assert!(is_same, "{found:?} of {replies:#?}");
            // A truncated reply may be one that was not needed.
            let reply = cut.map_or(0, |(reply, _)| reply);
            prop_assert!(!is_cut || reply == 2, "{found:?} of a reply cut off");
        }
    });
    tell(bytes(&replies()));
    assert!(runtime.block_on(asked(&warehouse)).is_ok(), "it works on");
}
