//! An SSH host with a passphrase-protected key: a real sshd, the system's own `ssh`, and this crate's program, from
//! which it requests the passphrase.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use vitrine_test_servers::postgres_server::PostgresServer;
use vitrine_test_servers::ssh_server::SshServer;
use vitrine_warehouse::{OpenOptions, ServerAddress, WarehouseError, WarehouseUri, open_with};

const WORD: &str = "marked pass-phrase \"ä\"";

struct Rig {
    ssh: SshServer,
    _server: PostgresServer,
    address: String,
    key: PathBuf,
}

impl Rig {
    fn new() -> Self {
        let (ssh, server) = (SshServer::start(), PostgresServer::start());
        server.psql("shop", "CREATE TABLE customer (id int PRIMARY KEY); INSERT INTO customer VALUES (1), (2)");
        let key = ssh.locked("clerk", WORD);
        let address = format!("{}?{}&ssh_key={}", server.address("shop"), ssh.option(), key.display());
        Self { ssh, _server: server, address, key }
    }

    fn server(&self) -> ServerAddress {
        WarehouseUri::parse(&self.address).unwrap().server_address().unwrap().clone()
    }

    /// Opens the database with this passphrase. `program` is the program from which `ssh` requests it.
    async fn opened(&self, word: Option<&str>, program: &Path) -> Result<(), WarehouseError> {
        let server = self.server().with_passphrases(|_| word.map(str::to_owned));
        let (ssh_config, engine) = (Some(self.ssh.config()), Some(program.to_owned()));
        let options = OpenOptions { ssh_config, engine, ..OpenOptions::default() };
        let warehouse = open_with(&WarehouseUri::of_server(server), &options).await?;
        let found = warehouse.load_catalog().await?.find_table("customer").is_some();
        warehouse.close().await;
        assert!(found, "it is the database behind");
        Ok(())
    }
}

fn program() -> PathBuf {
    env!("CARGO_BIN_EXE_vitrine-engine").into()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_passphrase_opens_the_key_and_another_is_told() {
    let rig = Rig::new();
    let locked = |wrong| WarehouseError::Passphrase { key: rig.key.clone(), wrong };
    assert_eq!(rig.opened(None, &program()).await, Err(locked(false)));
    assert_eq!(rig.opened(Some("another"), &program()).await, Err(locked(true)));
    assert_eq!(rig.opened(Some(WORD), &program()).await, Ok(()));

    let server = rig.server();
    assert_eq!(server.locked_keys(), server.unlocked_by(WORD).unwrap());
    assert_eq!(server.unlocked_by("another"), Err(locked(true)));
    assert!(server.locked_keys()[0].starts_with(&rig.key.display().to_string()));
    let with = server.with_passphrases(|_| Some(WORD.to_owned()));
    assert!(!format!("{with} {with:?}").contains("pass-phrase"));
    // An unknown host is still rejected, although the program can answer prompts now.
    rig.ssh.know("nobody");
    let unknown = rig.opened(Some(WORD), &program()).await.unwrap_err();
    assert!(
        matches!(&unknown, WarehouseError::Ssh { message, .. } if message.contains("not known here")),
        "{unknown:?}"
    );
    // A key that the server rejects is not reported as locked.
    rig.ssh.know("host");
    rig.ssh.locked("stranger", WORD);
    std::fs::copy(rig.key.with_file_name("stranger"), &rig.key).unwrap();
    let refused = rig.opened(Some(WORD), &program()).await.unwrap_err();
    assert!(matches!(&refused, WarehouseError::Ssh { message, .. } if message.contains("did not let")), "{refused:?}");
}

/// The passphrase is neither in the arguments nor in the environment of the processes that `ssh` starts.
#[tokio::test(flavor = "multi_thread")]
async fn the_passphrase_is_in_no_argument_and_no_environment() {
    let rig = Rig::new();
    let folder = tempfile::tempdir().unwrap();
    let (told, asked) = (folder.path().join("told"), folder.path().join("asked"));
    // A wrapper of the program, which first records the process data that all users of this computer can see, for
    // itself and the `ssh` that started it.
    let script = format!(
        "#!/bin/sh\ncat /proc/$$/environ /proc/$$/cmdline /proc/$PPID/environ /proc/$PPID/cmdline >> '{}'\nexec '{}' \"$@\"\n",
        told.display(),
        program().display()
    );
    std::fs::write(&asked, script).unwrap();
    std::fs::set_permissions(&asked, std::fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(rig.opened(Some(WORD), &asked).await, Ok(()));
    let told = std::fs::read(&told).unwrap();
    let text = String::from_utf8_lossy(&told);
    assert!(text.contains("Enter passphrase for key") && text.contains("VITRINE_ASKPASS="), "it was asked: {text}");
    assert!(!text.contains("pass-phrase"), "{text}");
}
