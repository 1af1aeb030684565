//! Certificates of a private authority, for the server and for the login.

use super::super::*;
use crate::{WarehouseUri, read_page};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use vitrine_domain::AppError;
use vitrine_test_servers::postgres_server::PostgresServer;

/// Creates an authority and its certificates for the server at 127.0.0.1 and for a user.
fn certificates(folder: &Path) {
    let at = |name: &str| folder.join(name).display().to_string();
    let openssl = |arguments: &[&str]| {
        let made = Command::new("openssl").args(arguments).stderr(Stdio::null()).status();
        assert!(made.is_ok_and(|status| status.success()), "openssl {arguments:?}");
    };
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    let authority = ["req", "-x509", "-subj", "/CN=authority", "-days", "2"];
    openssl(&[&authority[..], &key, &["-keyout", &at("ca.key"), "-out", &at("ca.pem")]].concat());
    std::fs::write(at("names"), "subjectAltName=IP:127.0.0.1").unwrap();
    for (name, subject) in [("server", "/CN=127.0.0.1"), ("clerk", "/CN=clerk")] {
        let (own, request, signed) =
            (at(&format!("{name}.key")), at(&format!("{name}.csr")), at(&format!("{name}.pem")));
        openssl(&[&["req", "-subj", subject][..], &key, &["-keyout", &own, "-out", &request]].concat());
        let by = ["x509", "-req", "-CAcreateserial", "-days", "2", "-in", &request, "-CA", &at("ca.pem")];
        openssl(&[&by[..], &["-CAkey", &at("ca.key"), "-extfile", &at("names"), "-out", &signed]].concat());
    }
    std::fs::set_permissions(at("clerk.key"), std::fs::Permissions::from_mode(0o600)).unwrap();
}

async fn opened(address: &str) -> Result<PostgresWarehouse, WarehouseError> {
    let uri = WarehouseUri::parse(address)?;
    PostgresWarehouse::open(uri.server_address().unwrap().clone(), &OpenOptions::default()).await
}

async fn person(address: &str) -> Result<Option<String>, WarehouseError> {
    let warehouse = opened(address).await?;
    let sql = "SELECT current_user || ' ' || ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    let batches = warehouse.query_text(sql.to_owned(), Limits::default(), CancellationToken::new()).await?;
    Ok(read_page(batches, 1).await?.rows.remove(0).remove(0))
}

#[tokio::test]
async fn an_authority_of_ones_own_is_trusted_and_a_certificate_signs_in() {
    let server = PostgresServer::start();
    let folder = tempfile::tempdir().unwrap();
    certificates(folder.path());
    let at = |name: &str| folder.path().join(name).display().to_string();
    let files = ["ca.pem", "server.pem", "server.key"]
        .map(|name| (at(name), format!("{}/data/{name}", server.socket().display())));
    for (from, to) in &files {
        std::fs::copy(from, to).unwrap();
        std::fs::set_permissions(to, std::fs::Permissions::from_mode(0o600)).unwrap();
        // The file gets the owner of the folder.
        let _ = Command::new("chown").arg(format!("--reference={}/data", server.socket().display())).arg(to).status();
    }
    let rules = format!("{}/data/pg_hba.conf", server.socket().display());
    let before = std::fs::read_to_string(&rules).unwrap();
    std::fs::write(&rules, format!("hostssl all clerk all cert\n{before}")).unwrap();
    server.psql("shop", "CREATE ROLE clerk LOGIN");
    for setting in ["ssl_ca_file = 'ca.pem'", "ssl_cert_file = 'server.pem'", "ssl_key_file = 'server.key'", "ssl = on"]
    {
        server.psql("shop", &format!("ALTER SYSTEM SET {setting}"));
    }
    server.psql("shop", "SELECT pg_reload_conf()");
    while server.psql("shop", "SHOW ssl") != "on" {}

    let good = server.address("shop");
    let trusted = format!("{good}?sslmode=verify-full&sslrootcert={}", at("ca.pem"));
    assert_eq!(person(&trusted).await.unwrap().as_deref(), Some("owner true"));
    assert!(person(&format!("{good}?sslmode=verify-full")).await.is_err(), "this computer trusts no such authority");
    // An address that names an authority accepts no other.
    let stranger = tempfile::tempdir().unwrap();
    certificates(stranger.path());
    let other = stranger.path().join("ca.pem").display().to_string();
    assert!(person(&format!("{good}?sslmode=require&sslrootcert={other}")).await.is_err());

    let port = good.rsplit_once(':').unwrap().1;
    let clerk = format!("postgresql://clerk@127.0.0.1:{port}?sslmode=verify-full&sslrootcert={}", at("ca.pem"));
    let signs = format!("{clerk}&sslcert={}&sslkey={}", at("clerk.pem"), at("clerk.key"));
    assert_eq!(person(&signs).await.unwrap().as_deref(), Some("clerk true"));
    assert!(person(&clerk).await.is_err(), "nobody signs in without it");

    let fault =
        async |address: String| AppError::from(opened(&address).await.err().expect("it is refused")).to_string();
    std::fs::set_permissions(at("clerk.key"), std::fs::Permissions::from_mode(0o644)).unwrap();
    let said = fault(signs.clone()).await;
    assert!(said.contains("chmod 600"), "{said}");
    let said = fault(format!("{clerk}&sslcert={}&sslkey={}", at("clerk.pem"), at("names"))).await;
    assert!(said.contains("names"), "{said}");
    let said = fault(format!("{good}?sslmode=verify-full&sslrootcert={}", at("nothing.pem"))).await;
    assert!(said.contains("nothing.pem"), "{said}");
}
