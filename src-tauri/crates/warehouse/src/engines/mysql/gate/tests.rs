//! The proxy against servers that request more than they may receive. Each implements as much of the protocol as its
//! test needs.

use super::*;
use mysql_async::{Conn, OptsBuilder};
use std::net::Ipv4Addr;

/// Builds the greeting of a server with these flags and this authentication plugin.
fn build_greeting(flags: u32, plugin: &str) -> Vec<u8> {
    let mut bytes = vec![10];
    bytes.extend(b"8.0.36\0");
    bytes.extend(7u32.to_le_bytes());
    bytes.extend(b"12345678\0");
    bytes.extend(&flags.to_le_bytes()[..2]);
    bytes.extend([45, 2, 0]);
    bytes.extend(&flags.to_le_bytes()[2..]);
    bytes.push(21);
    bytes.extend([0; 10]);
    bytes.extend(b"123456789012\0");
    bytes.extend(plugin.as_bytes());
    bytes.push(0);
    bytes
}

/// Protocol 4.1, secure connection, authentication plugins.
const FLAGS: u32 = 0x0000_0200 | 0x0000_8000 | 0x0008_0000 | 0x0000_0008;

/// Starts a server that greets and then sends requests. Returns everything that it receives.
async fn start_server(greeting: Vec<u8>, asks: Vec<Vec<u8>>) -> (u16, tokio::task::JoinHandle<Vec<u8>>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let heard = tokio::spawn(async move {
        let (mut peer, _) = listener.accept().await.unwrap();
        let mut heard = Vec::new();
        write_packet(&mut peer, &Packet::new(0, greeting)).await.unwrap();
        for ask in asks {
            let Ok(answer) = read_packet(&mut peer).await else { return heard };
            heard.extend(answer.content);
            if write_packet(&mut peer, &Packet::new(answer.number + 1, ask)).await.is_err() {
                return heard;
            }
        }
        while let Ok(answer) = read_packet(&mut peer).await {
            heard.extend(answer.content);
        }
        heard
    });
    (port, heard)
}

/// Returns the error of the proxy when a driver signs in at this server, which is treated as remote.
async fn sign_in_failure(port: u16, protection: Protection, plain: bool) -> Option<Failure> {
    let place = ServerEndpoint { host: Host::Tcp("127.1".to_owned()), address: None, port };
    assert!(!place.is_local());
    let gate = Gate::new(place, (protection, TlsFiles::default()), plain, Some("pass-word".to_owned()));
    let door = gate.open_door(Duration::from_secs(5), None).await.unwrap();
    let options = OptsBuilder::default().user(Some("ann")).pass(Some("pass-word")).prefer_socket(false);
    let options = options.ip_or_hostname("127.0.0.1").tcp_port(door.port).enable_cleartext_plugin(true);
    let reached = tokio::time::timeout(Duration::from_secs(10), Conn::new(options)).await.unwrap();
    assert!(reached.is_err());
    door.wait_for_failure().await
}

#[tokio::test]
async fn nothing_is_told_to_a_server_that_does_not_encrypt() {
    let (port, heard) = start_server(build_greeting(FLAGS, "mysql_native_password"), Vec::new()).await;
    assert!(matches!(sign_in_failure(port, Protection::Prefer, false).await, Some(Failure::Unencrypted)));
    assert!(heard.await.unwrap().is_empty());
    let (port, heard) = start_server(build_greeting(FLAGS, "mysql_native_password"), Vec::new()).await;
    assert!(matches!(sign_in_failure(port, Protection::Require, true).await, Some(Failure::Io(_))));
    assert!(heard.await.unwrap().is_empty());
}

#[tokio::test]
async fn the_password_itself_is_not_sent_where_anybody_could_ask_for_it() {
    let mut switch = vec![0xfe];
    switch.extend(b"mysql_clear_password\0");
    let (port, heard) = start_server(build_greeting(FLAGS, "mysql_native_password"), vec![switch]).await;
    assert!(matches!(sign_in_failure(port, Protection::Disable, true).await, Some(Failure::Cleartext)));
    let heard = heard.await.unwrap();
    assert!(!heard.is_empty() && !heard.windows(9).any(|part| part == b"pass-word"), "{heard:?}");
}

#[tokio::test]
async fn what_is_no_mysql_server_is_said() {
    let (port, _) = start_server(b"SSH-2.0-x\0".to_vec(), Vec::new()).await;
    let Some(Failure::Io(error)) = sign_in_failure(port, Protection::Prefer, false).await else { panic!("no error") };
    assert!(error.to_string().contains("no MySQL server"), "{error}");
}

/// Returns the packets that server and driver receive when an encrypted server requests the password in clear text.
async fn asked_for_the_password(cleartext: bool, verdict: u8) -> (Result<(), Failure>, Vec<Packet>, Vec<Packet>) {
    let (mut here, mut server) = tokio::io::duplex(1 << 12);
    let (mut there, mut driver) = tokio::io::duplex(1 << 12);
    write_packet(&mut server, &Packet::new(3, [1, 4])).await.unwrap();
    let serving = tokio::spawn(async move {
        let mut heard = Vec::new();
        while let Ok(packet) = read_packet(&mut server).await {
            let number = packet.number + 1;
            heard.push(packet);
            write_packet(&mut server, &Packet::new(number, [verdict])).await.unwrap();
        }
        heard
    });
    let terms = Terms { encrypted: true, cleartext, password: Some("pass-word".to_owned()) };
    let result = terms.sign_in(&mut here, &mut there).await;
    drop((here, there));
    let mut told = Vec::new();
    while let Ok(packet) = read_packet(&mut driver).await {
        told.push(packet);
    }
    (result, serving.await.unwrap(), told)
}

#[tokio::test]
async fn a_server_that_somebody_vouches_for_gets_the_password_itself() {
    let (result, heard, told) = asked_for_the_password(true, 0).await;
    assert!(result.is_ok());
    assert_eq!(heard, [Packet::new(4, *b"pass-word\0")]);
    // The driver receives the server's acceptance with the packet numbers that it expects.
    assert_eq!(told, [Packet::new(2, [1, 3]), Packet::new(3, [0])]);
    let (_, _, told) = asked_for_the_password(true, ERROR).await;
    assert_eq!(told, [Packet::new(2, [ERROR])]);
    let (result, heard, told) = asked_for_the_password(false, 0).await;
    assert!(matches!(result, Err(Failure::Cleartext)));
    assert!(heard.is_empty() && told.is_empty());
}
