//! The passphrase of a key for the sign-in: requested, kept only in memory and in the keychain, and bound to the key's file.

use crate::support::options;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use vitrine_api::App;
use vitrine_domain::ErrorCode;
use vitrine_store::secrets::{InMemory, SecretStore};
use vitrine_test_servers::postgres_server::{PASSWORD, PostgresServer};

const WORD: &str = "marked-phrase";

/// Returns a certificate and its key, protected by a passphrase.
fn certificate(folder: &Path) -> [String; 2] {
    let [plain, key, pem] = ["plain.key", "clerk.key", "clerk.pem"].map(|name| folder.join(name).display().to_string());
    let openssl = |arguments: &[&str]| {
        let made = Command::new("openssl").env("WORD", WORD).args(arguments).stderr(Stdio::null()).status();
        assert!(made.is_ok_and(|status| status.success()), "openssl {arguments:?}");
    };
    let new = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    openssl(&[&new[..], &["-subj", "/CN=clerk", "-keyout", &plain, "-out", &pem]].concat());
    openssl(&["pkcs8", "-topk8", "-v2", "aes256", "-in", &plain, "-passout", "env:WORD", "-out", &key]);
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();
    [pem, key]
}

fn written(folder: &Path) -> Vec<u8> {
    let entries = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    entries
        .flat_map(|path| if path.is_dir() { written(&path) } else { std::fs::read(path).unwrap_or_default() })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passphrase_is_asked_for_and_kept_in_the_keychain_alone() {
    let server = PostgresServer::start();
    server.encrypt();
    let (home, keys) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let [pem, key] = certificate(keys.path());
    let address = format!("{}?sslmode=require&sslcert={pem}&sslkey={key}", server.address("shop"));
    let bare = address.replace(&format!(":{PASSWORD}"), "");
    let keychain: Arc<dyn SecretStore> = Arc::new(InMemory::default());
    let start =
        || App::open(vitrine_api::AppOptions { secrets: Arc::clone(&keychain), ..options(home.path(), Vec::new()) });
    let mut said = String::new();

    let app = start().await.unwrap();
    let asked = app.open_warehouse(address.clone()).await.unwrap_err();
    assert_eq!(asked.code, ErrorCode::Passphrase, "{asked:?}");
    assert!(asked.message.contains("clerk.key"), "{asked:?}");
    assert_eq!(app.password_wanted(&address).await.unwrap().code, ErrorCode::Passphrase);
    let wrong = app.unlock_key(address.clone(), format!("{WORD}?")).await.unwrap_err();
    assert!(wrong.code == ErrorCode::Passphrase && wrong.message.contains("not the passphrase"), "{wrong:?}");
    said.push_str(&format!("{asked:?} {wrong:?}"));
    assert_eq!(app.open_warehouse(address.clone()).await.unwrap_err().code, ErrorCode::Passphrase, "it is not kept");
    app.unlock_key(address.clone(), WORD.to_owned()).await.unwrap();
    let opened = app.open_warehouse(address.clone()).await.unwrap();
    assert_eq!(opened.uri, bare);
    said.push_str(&format!("{opened:?} {:?}", app.warehouses().await.unwrap()));
    app.shutdown().await;

    // Without a request to remember it, the passphrase is forgotten.
    let app = start().await.unwrap();
    assert_eq!(app.open_warehouse(address.clone()).await.unwrap_err().code, ErrorCode::Passphrase);
    app.unlock_key(bare.clone(), WORD.to_owned()).await.unwrap();
    app.open_warehouse(address.clone()).await.unwrap();
    app.remember_password(bare.clone()).await.unwrap();
    app.shutdown().await;

    let app = start().await.unwrap();
    app.open_warehouse(bare.clone()).await.unwrap();
    app.forget_warehouse(bare.clone()).await.unwrap();
    app.shutdown().await;
    let app = start().await.unwrap();
    assert_eq!(app.open_warehouse(address.clone()).await.unwrap_err().code, ErrorCode::Passphrase, "it is forgotten");
    app.shutdown().await;

    let written = [written(home.path()), said.into_bytes()].concat();
    assert!(!written.windows(WORD.len()).any(|part| part == WORD.as_bytes()));
}
