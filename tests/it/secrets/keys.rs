//! Key files with a passphrase: one for a server, and one for an SSH jump host.

use super::search::Seen;
use super::{MARK, dead_port, draft, everywhere};
use std::path::Path;
use std::process::{Command, Stdio};
use vitrine_api::App;
use vitrine_domain::ErrorCode;

pub(super) const OF_TLS: &str = "mark7f3c-opens-tls";
pub(super) const OF_SSH: &str = "mark7f3c-opens-ssh";

fn done(program: &str, arguments: &[&str]) {
    let mut command = Command::new(program);
    let made = command.env("WORD", OF_TLS).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(made.is_ok_and(|status| status.success()), "{program} {arguments:?}");
}

/// Creates the keys in a user folder, and an address that uses both. No server listens there.
fn address(folder: &Path) -> String {
    let [plain, key, pem, ssh] =
        ["plain.key", "tls.key", "clerk.pem", "ssh.key"].map(|name| folder.join(name).display().to_string());
    let new = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    done("openssl", &[&new[..], &["-subj", "/CN=clerk", "-keyout", &plain, "-out", &pem]].concat());
    done("openssl", &["pkcs8", "-topk8", "-v2", "aes256", "-in", &plain, "-passout", "env:WORD", "-out", &key]);
    done("chmod", &["600", &key]);
    done("ssh-keygen", &["-q", "-t", "ed25519", "-N", OF_SSH, "-f", &ssh]);
    let [port, between] = [dead_port(), dead_port()];
    format!(
        "postgresql://ann@127.0.0.1:{port}/shop?sslmode=require&sslcert={pem}&sslkey={key}&ssh=ann@127.0.0.1:{between}&ssh_key={ssh}"
    )
}

/// Unlocks both keys, also with wrong passphrases, and uses the address everywhere.
pub(super) async fn keys(app: &App, seen: &Seen, folder: &Path) {
    let address = address(folder);
    heard!(seen, app, keep_connection(draft("Keys", &address)), open_warehouse(address.clone()));
    for wrong in [format!("{MARK}-wrong"), format!("{OF_TLS}\n"), String::new()] {
        let refused = app.unlock_key(address.clone(), wrong).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::Passphrase, "{refused}");
        seen.bytes("refused", format!("{refused:?}"));
    }
    for word in [OF_TLS, OF_SSH] {
        assert!(app.unlock_key(address.clone(), word.to_owned()).await.is_ok(), "it opens one of them");
    }
    everywhere(app, seen, &address, "Keys").await;
}

/// Checks that a keychain entry is one of these passphrases, bound to its file.
pub(super) fn is_passphrase(name: &str, secret: &str) -> bool {
    let of = |file: &str| name.starts_with("key:/") && name.contains(&format!("/{file} "));
    (of("tls.key") && secret == OF_TLS) || (of("ssh.key") && secret == OF_SSH)
}
