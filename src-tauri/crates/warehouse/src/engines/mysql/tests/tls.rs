//! Certificates of a private authority, for the server and for the login.

use super::super::*;
use crate::{WarehouseUri, read_page};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use vitrine_domain::AppError;
use vitrine_test_servers::mysql_server::{self, MysqlServer};

/// Creates a certificate for a user, signed by the authority in the other folder.
fn sign_in_certificate(folder: &Path, authority: &Path) {
    let at = |name: &str| folder.join(name).display().to_string();
    let of = |name: &str| authority.join(name).display().to_string();
    let openssl = |arguments: &[&str]| {
        let made = Command::new("openssl").args(arguments).stderr(Stdio::null()).status();
        assert!(made.is_ok_and(|status| status.success()), "openssl {arguments:?}");
    };
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    let request = ["req", "-subj", "/CN=clerk", "-keyout", &at("clerk.key"), "-out", &at("clerk.csr")];
    openssl(&[&request[..], &key].concat());
    let by = ["x509", "-req", "-CAcreateserial", "-days", "2", "-in", &at("clerk.csr"), "-CA", &of("ca.pem")];
    // The extension makes it version 3, as required.
    std::fs::write(at("names"), "subjectAltName=DNS:clerk").unwrap();
    openssl(&[&by[..], &["-CAkey", &of("ca.key"), "-extfile", &at("names"), "-out", &at("clerk.pem")]].concat());
    std::fs::set_permissions(at("clerk.key"), std::fs::Permissions::from_mode(0o600)).unwrap();
}

async fn person(address: &str) -> Result<Option<String>, WarehouseError> {
    let uri = WarehouseUri::parse(address)?;
    let warehouse = MysqlWarehouse::open(uri.server_address().unwrap().clone(), &OpenOptions::default()).await?;
    let sql = "SELECT CURRENT_USER()".to_owned();
    let batches = warehouse.query_text(sql, Limits::default(), CancellationToken::new()).await?;
    Ok(read_page(batches, 1).await?.rows.remove(0).remove(0))
}

#[tokio::test]
async fn an_authority_of_ones_own_is_trusted_and_a_certificate_signs_in() {
    let (authority, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let encrypts = MysqlServer::certificate(authority.path());
    let ca = authority.path().join("ca.pem").display().to_string();
    let server = MysqlServer::start_with(&[&encrypts[0], &encrypts[1], &format!("--ssl-ca={ca}")]);
    sign_in_certificate(own.path(), authority.path());
    let password = mysql_server::PASSWORD;
    server.script(
        "shop",
        &format!("CREATE USER clerk@'%' IDENTIFIED BY '{password}' REQUIRE X509; GRANT SELECT ON shop.* TO clerk@'%'"),
    );
    // The certificate is valid for this name.
    let by_name = |address: String| address.replace("127.0.0.1", "localhost");
    let good = by_name(server.address("shop"));

    assert_eq!(person(&format!("{good}?ssl-ca={ca}")).await.unwrap().as_deref(), Some("owner@%"));
    assert!(
        person(&format!("{good}?ssl-mode=VERIFY_IDENTITY")).await.is_err(),
        "this computer trusts no such authority"
    );
    let other_name = server.address("shop");
    assert!(person(&format!("{other_name}?ssl-ca={ca}")).await.is_err(), "it is for another host");
    assert!(person(&format!("{other_name}?ssl-mode=REQUIRED")).await.is_ok(), "nobody is asked to vouch");
    // An address that names an authority accepts no other.
    let stranger = tempfile::tempdir().unwrap();
    MysqlServer::certificate(stranger.path());
    let other = stranger.path().join("ca.pem").display().to_string();
    for mode in ["", "&ssl-mode=REQUIRED", "&ssl-mode=VERIFY_CA"] {
        assert!(person(&format!("{good}?ssl-ca={other}{mode}")).await.is_err(), "{mode}");
    }

    let at = |name: &str| own.path().join(name).display().to_string();
    let clerk = format!("{}?ssl-ca={ca}", by_name(server.address_of("clerk", "shop")));
    let signs = format!("{clerk}&ssl-cert={}&ssl-key={}", at("clerk.pem"), at("clerk.key"));
    assert_eq!(person(&signs).await.unwrap().as_deref(), Some("clerk@%"));
    assert!(person(&clerk).await.is_err(), "nobody signs in without it");

    std::fs::set_permissions(at("clerk.key"), std::fs::Permissions::from_mode(0o644)).unwrap();
    let said = AppError::from(person(&signs).await.unwrap_err()).to_string();
    assert!(said.contains("chmod 600"), "{said}");
    let said = AppError::from(person(&format!("{good}?ssl-ca=/nowhere/ca.pem")).await.unwrap_err()).to_string();
    assert!(said.contains("/nowhere/ca.pem"), "{said}");
}
