use super::*;
use crate::{OpenOptions, ServerAddress, WarehouseError, WarehouseUri};
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;

const REQUEST: &[u8] = &[b'R', 0, 0, 0, 8, 0, 0, 0, 3];

#[test]
fn a_request_is_seen_however_it_arrives() {
    let notice: &[u8] = &[b'N', 0, 0, 0, 9, b'R', 0, 0, 0, 8];
    for size in 1..12 {
        let mut watch = Watch::new(false, true);
        let bytes = [notice, REQUEST].concat();
        let seen: Result<Vec<bool>, Refusal> = bytes.chunks(size).map(|chunk| watch.inspect_bytes(chunk)).collect();
        assert_eq!(seen, Err(Refusal::Cleartext), "{size}");
    }
    let mut done = REQUEST.to_vec();
    done[8] = 0;
    assert_eq!(Watch::new(false, false).inspect_bytes(&done), Ok(true));
    for (number, encrypted, refusal) in [
        (5, true, None),
        (10, true, None),
        (5, false, Some(Refusal::Unencrypted)),
        (10, false, Some(Refusal::Unencrypted)),
    ] {
        let mut request = REQUEST.to_vec();
        request[8] = number;
        assert_eq!(Watch::new(false, encrypted).inspect_bytes(&request).err(), refusal, "{number}");
    }
}

/// Starts a server that does not encrypt and that requests the password with `request`. Returns everything that it
/// receives afterwards.
async fn start_greedy_server(request: Vec<u8>) -> (u16, Arc<Mutex<Vec<u8>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (port, heard) = (listener.local_addr().unwrap().port(), Arc::new(Mutex::new(Vec::new())));
    let sent = Arc::clone(&heard);
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut buffer = [0; 1024];
            let mut asked = false;
            while let Ok(length @ 1..) = socket.read(&mut buffer).await {
                if asked {
                    sent.lock().unwrap().extend(&buffer[..length]);
                } else if buffer[..length] == SSL_REQUEST {
                    socket.write_all(b"N").await.unwrap();
                } else {
                    asked = true;
                    socket.write_all(&request).await.unwrap();
                }
            }
        }
    });
    (port, heard)
}

async fn connection_error(text: &str, own_address: bool) -> WarehouseError {
    let server = WarehouseUri::parse(text).unwrap().server_address().unwrap().clone();
    let server: ServerAddress = server.with_password(Some("pass-word".to_owned()));
    let options = OpenOptions { own_address, ..OpenOptions::default() };
    crate::open_with(&WarehouseUri::of_server(server), &options).await.err().unwrap()
}

#[tokio::test]
async fn a_server_that_asks_for_the_password_itself_does_not_get_it() {
    let (port, heard) = start_greedy_server(REQUEST.to_vec()).await;
    for options in ["", "?sslmode=prefer", "?sslmode=disable"] {
        let error = connection_error(&format!("postgresql://ann@127.0.0.1:{port}/shop{options}"), true).await;
        assert!(matches!(error, WarehouseError::Unprotected { cleartext: true, .. }), "{options}: {error:?}");
        assert!(error.hint().unwrap().contains("verify-full"));
    }
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    assert_eq!(heard.lock().unwrap().len(), 0, "nothing is said after the request");
}

#[tokio::test]
async fn over_a_network_no_password_is_sent_unencrypted_but_where_a_person_says_so() {
    let (port, heard) = start_greedy_server(vec![b'R', 0, 0, 0, 12, 0, 0, 0, 5, 1, 2, 3, 4]).await;
    let at = |options: &str| format!("postgresql://ann@db.example:{port}/shop?hostaddr=127.0.0.1{options}");
    // This address also leads to this computer, but is not recognized as local.
    let network = |text: &str| text.replace("hostaddr=127.0.0.1", "hostaddr=0.0.0.0");
    for (address, own) in
        [(network(&at("")), true), (network(&at("&sslmode=prefer")), true), (network(&at("&sslmode=disable")), false)]
    {
        let error = connection_error(&address, own).await;
        assert!(matches!(error, WarehouseError::Unprotected { cleartext: false, .. }), "{address}: {error:?}");
    }
    assert_eq!(heard.lock().unwrap().len(), 0);
    for (address, own) in [(network(&at("&sslmode=disable")), true), (at(""), false)] {
        let before = heard.lock().unwrap().len();
        let asking = connection_error(&address, own);
        // The server never responds; only the data that it received matters.
        let _ = tokio::time::timeout(std::time::Duration::from_millis(500), asking).await;
        assert!(heard.lock().unwrap().len() > before, "{address}");
    }
}
