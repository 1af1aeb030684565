//! Unsupported entries are excluded and reported: links to other folders, pipes, files that unpack without limit.

use super::super::open_files;
use crate::engine::Engine;
use crate::{Limits, OpenOptions, Warehouse, WarehouseError, WarehouseUri, read_page};
use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use std::path::Path;
use tokio_util::sync::CancellationToken;
use vitrine_sql::ReadOnlySql;

async fn rows(warehouse: &dyn Warehouse, sql: &str) -> Vec<Vec<Option<String>>> {
    let sql = ReadOnlySql::parse(sql, warehouse.dialect()).unwrap();
    let batches = warehouse.run_query(&sql, Limits::default(), CancellationToken::new()).await.unwrap();
    read_page(batches, u64::MAX).await.unwrap().rows
}

async fn tables(warehouse: &dyn Warehouse) -> Vec<String> {
    warehouse.load_catalog().await.unwrap().tables.into_iter().map(|table| table.name.to_string()).collect()
}

/// Returns the names of excluded files with the reasons.
fn left_out(warehouse: &crate::engines::duck::DuckWarehouse) -> Vec<(String, String)> {
    let readings = Engine::readings(warehouse).into_iter();
    readings.filter_map(|reading| Some((reading.file, reading.left_out?))).collect()
}

/// Writes a gzip file that unpacks to this many bytes.
fn packed_zeros(path: &Path, bytes: u64) {
    let mut packed = GzEncoder::new(std::fs::File::create(path).unwrap(), Compression::best());
    packed.write_all(b"a,b\n").unwrap();
    let lines = "0,0\n".repeat(1 << 16);
    for _ in 0..bytes / lines.len() as u64 {
        packed.write_all(lines.as_bytes()).unwrap();
    }
    packed.finish().unwrap();
}

#[tokio::test]
async fn a_file_that_unpacks_without_an_end_is_refused_and_others_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let bomb = folder.path().join("bomb.csv.gz");
    packed_zeros(&bomb, 1100 << 20);
    assert!(std::fs::metadata(&bomb).unwrap().len() < 4 << 20);
    let Err(WarehouseError::Unreadable { detail, .. }) = open_files(&bomb, &OpenOptions::default()) else {
        panic!("it opens")
    };
    assert!(detail.contains("more than 1 GB, over 200 times its size") && detail.contains("unpack it"), "{detail}");
    std::fs::write(folder.path().join("a.csv"), "x\n1\n").unwrap();
    let warehouse = open_files(folder.path(), &OpenOptions::default()).unwrap();
    assert_eq!(tables(&warehouse).await, ["a"]);
    let left_out = left_out(&warehouse);
    assert!(left_out.len() == 1 && left_out[0].0 == "bomb.csv.gz" && left_out[0].1 == detail, "{left_out:?}");
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

#[tokio::test]
async fn a_packed_file_is_read_as_the_file_itself() {
    let wide: Vec<u8> = "\u{feff}name;n\nMüller;1\nJosé;2\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [
        b"name;n\nM\xfcller;1\nJos\xe9;2\n".to_vec(),
        wide,
        b"name;n\r\nAnn;1\nBob;2\r\n".to_vec(),
        b"name;n;x\nAnn;1\nBob;2;3\n".to_vec(),
        b"Report\n\nname;n\nAnn;1\nBob;2\nTotal;3\n".to_vec(),
        b"name;n\nAnn;1\nBob;2\n".to_vec(),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let paths = [("t.csv", bytes.clone()), ("t.csv.gz", packed(&bytes))].map(|(name, bytes)| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        });
        let [plain, packed] = paths.map(|path| open_files(&path, &OpenOptions::default()).unwrap());
        let all = "SELECT name, n, (SELECT count(*) FROM t) FROM t ORDER BY n";
        assert_eq!(rows(&packed, all).await, rows(&plain, all).await);
        let readings = [&plain, &packed].map(|warehouse| crate::engine::Engine::readings(warehouse).remove(0));
        assert_eq!(readings[0].doubts, readings[1].doubts);
        assert_eq!(readings[0].set_aside, readings[1].set_aside);
        assert_eq!(readings[0].encoding, readings[1].encoding);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut.csv.gz");
    let whole = packed(&b"a,b\n1,2\n3,4\n".repeat(9000));
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    assert!(matches!(open_files(&path, &OpenOptions::default()), Err(WarehouseError::Unreadable { .. })));
}

#[tokio::test]
async fn a_file_that_cannot_be_read_leaves_the_others_of_its_folder_alone() {
    let folder = tempfile::tempdir().unwrap();
    let files: [(&str, &[u8]); 6] = [
        ("a.csv", b"x\n1\n"),
        ("broken.json", b"{\"a\": [1, 2"),
        ("broken.parquet", b"PAR1 but not more"),
        ("broken.xlsx", b"PK no zip"),
        ("long.csv", b"a,b\n1,2\n1,2,3\n4,5\n"),
        ("places.geojson", br#"{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"n": 7}, "geometry": null}]}"#),
    ];
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let warehouse = open_files(folder.path(), &OpenOptions::default()).unwrap();
    assert_eq!(tables(&warehouse).await, ["a", "places"]);
    assert_eq!(
        rows(&warehouse, "SELECT n, (SELECT sum(x) FROM a) FROM places").await,
        [[Some("7".into()), Some("1".into())]]
    );
    let left_out = left_out(&warehouse);
    let names: Vec<&str> = left_out.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["broken.json", "broken.parquet", "broken.xlsx", "long.csv"]);
    assert!(left_out[3].1.contains("line 3 has 3 cells"), "{left_out:?}");
    for name in names {
        let path = folder.path().join(name);
        assert!(matches!(open_files(&path, &OpenOptions::default()), Err(WarehouseError::Unreadable { .. })), "{name}");
    }
}

#[tokio::test]
async fn a_file_that_unpacks_to_much_is_read_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("much.csv.gz");
    packed_zeros(&path, 2 << 20);
    let warehouse = open_files(&path, &OpenOptions { load_bytes: 1 << 20, ..OpenOptions::default() }).unwrap();
    let catalog = warehouse.load_catalog().await.unwrap();
    assert_eq!(catalog.tables[0].kind, vitrine_domain::TableKind::View);
    // 2 MB of lines with four bytes each.
    assert_eq!(
        rows(&warehouse, "SELECT count(*), sum(b) FROM much").await,
        [[Some("524288".into()), Some("0".into())]]
    );
}

#[cfg(unix)]
#[tokio::test]
async fn links_that_lead_out_and_what_is_no_file_are_left_out_by_name() {
    use std::os::unix::fs::symlink;
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let at = |name: &str| folder.path().join(name);
    std::fs::write(outside.path().join("secret.csv"), "user,word\nann,hidden\n").unwrap();
    std::fs::write(at("a.csv"), "x\n1\n").unwrap();
    std::fs::write(at("data.txt"), "y\n2\n").unwrap();
    symlink("/etc/passwd", at("users.csv")).unwrap();
    symlink(outside.path().join("secret.csv"), at("secret.csv")).unwrap();
    symlink("../", at("up.json")).unwrap();
    symlink("loop.csv", at("loop.csv")).unwrap();
    symlink(at("data.txt"), at("inside.csv")).unwrap();
    symlink("a.csv", at("again.csv")).unwrap();
    std::fs::create_dir(at("parts.parquet")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(at("pipe.csv")).status().unwrap().success());
    let _listener = std::os::unix::net::UnixListener::bind(at("socket.json")).unwrap();
    let uri = WarehouseUri::parse(&folder.path().display().to_string()).unwrap();
    assert_eq!(uri.kind(), crate::WarehouseKind::File);
    let warehouse = open_files(folder.path(), &OpenOptions::default()).unwrap();
    assert_eq!(tables(&warehouse).await, ["a", "data"]);
    let left_out = left_out(&warehouse);
    let reason = |name: &str| {
        let found = left_out.iter().find(|(file, _)| file == name);
        found.unwrap_or_else(|| panic!("{name} in {left_out:?}")).1.clone()
    };
    for (name, part) in [
        ("users.csv", "leads out of the folder"),
        ("secret.csv", "leads out of the folder"),
        ("up.json", "leads out of the folder"),
        ("loop.csv", "leads nowhere"),
        ("parts.parquet", "a folder"),
        ("pipe.csv", "a pipe"),
        ("socket.json", "a socket"),
    ] {
        assert!(reason(name).contains(part), "{name}: {}", reason(name));
    }
    assert_eq!(left_out.len(), 7);
}

#[cfg(unix)]
#[tokio::test]
async fn a_pipe_is_an_error_at_once_whatever_it_is_called() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["p.csv", "p.json", "p.xlsx", "p.parquet", "p.db", "p.duckdb", "p.sql", "p.csv.gz"] {
        let pipe = folder.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let error = WarehouseUri::parse(&pipe.display().to_string()).unwrap_err();
        assert!(matches!(&error, WarehouseError::NotADatabase { detail, .. } if detail.contains("pipe")), "{error}");
        for scheme in ["sqlite", "duckdb", "file", "ddl"] {
            let uri = WarehouseUri::parse(&format!("{scheme}:{}", pipe.display())).unwrap();
            let options = OpenOptions { engine: None, ..OpenOptions::default() };
            let error = crate::connect::open_with(&uri, &options).await.err().expect("an error");
            assert!(format!("{error:?}").contains("pipe"), "{scheme} {name}: {error:?}");
        }
    }
}

#[test]
fn a_folder_of_nothing_that_is_read_says_why() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("x.csv")).unwrap();
    let Err(WarehouseError::Unreadable { path, detail, .. }) = open_files(folder.path(), &OpenOptions::default())
    else {
        panic!("it opens")
    };
    assert!(path.ends_with("x.csv") && detail.contains("It is a folder"), "{detail}");
}
