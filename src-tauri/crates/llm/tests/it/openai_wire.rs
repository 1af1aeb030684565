//! Behaviour that only a socket shows: splits within a character, a dropped connection, a cancelled one.

use super::openai::{ask, config, question};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use vitrine_llm::http::{HttpModel, Patience, ServerConfig};
use vitrine_llm::openai::{self, OpenAiKind};
use vitrine_llm::{LlmError, complete_request};

const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

/// Serves every connection with the same chunks, each flushed separately; `hold` keeps the connection open afterwards.
struct Wire {
    base_url: String,
    connections: Arc<AtomicUsize>,
    let_go: tokio::sync::mpsc::Receiver<()>,
}

async fn serve(pieces: Vec<Vec<u8>>, hold: bool) -> Wire {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    let connections = Arc::new(AtomicUsize::new(0));
    let (sender, let_go) = tokio::sync::mpsc::channel(8);
    let count = connections.clone();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            count.fetch_add(1, Ordering::SeqCst);
            let (pieces, sender) = (pieces.clone(), sender.clone());
            tokio::spawn(async move {
                read_request(&mut socket).await;
                for piece in pieces {
                    if socket.write_all(&piece).await.is_err() {
                        break;
                    }
                    socket.flush().await.unwrap();
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
                if hold {
                    // Reading returns 0 bytes or an error once the other side has closed.
                    let mut rest = [0; 64];
                    while matches!(socket.read(&mut rest).await, Ok(n) if n > 0) {}
                    let _ = sender.send(()).await;
                }
            });
        }
    });
    Wire { base_url, connections, let_go }
}

async fn read_request(socket: &mut TcpStream) {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length: usize =
                head.lines().find_map(|l| l.strip_prefix("content-length: ")).map_or(0, |n| n.parse().unwrap());
            if body.len() >= length {
                return;
            }
        }
        match socket.read(&mut buffer).await {
            Ok(n) if n > 0 => bytes.extend_from_slice(&buffer[..n]),
            _ => return,
        }
    }
}

fn model(wire: &Wire) -> HttpModel {
    openai::create_model(OpenAiKind::Compatible, config(&wire.base_url)).unwrap()
}

fn token(text: &str) -> String {
    format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{text}\"}}}}]}}\r\n\r\n")
}

const END: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\r\n\r\n";

#[tokio::test]
async fn a_stream_cut_after_every_byte_is_read_whole() {
    let text = format!("{HEAD}: ping\r\n\r\n{}{}{END}data: [DONE]\r\n\r\n", token("Zürich "), token("漢字 😀"));
    let (head, body) = text.split_at(HEAD.len());
    let mut pieces = vec![head.as_bytes().to_vec()];
    pieces.extend(body.bytes().map(|byte| vec![byte]));
    let wire = serve(pieces, false).await;
    let mut shown = String::new();
    let done = complete_request(&model(&wire), question("?"), CancellationToken::new(), |text| shown.push_str(text))
        .await
        .unwrap();
    assert_eq!(done.first_reply(), "Zürich 漢字 😀");
    assert_eq!(shown, done.first_reply());
}

#[tokio::test]
async fn a_connection_that_drops_in_the_middle_is_an_error_and_not_tried_again() {
    let wire = serve(vec![HEAD.into(), token("SELECT").into()], false).await;
    let error = ask(&model(&wire), question("?")).await.unwrap_err();
    assert!(
        matches!(&error, LlmError::Unreachable { message } if message.contains("before the reply was whole")),
        "{error:?}"
    );
    assert_eq!(wire.connections.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_connection_that_drops_before_the_first_text_is_tried_again() {
    let wire = serve(vec![HEAD.into(), b": ping\n\n".to_vec()], false).await;
    ask(&model(&wire), question("?")).await.unwrap_err();
    assert_eq!(wire.connections.load(Ordering::SeqCst), Patience::default().attempts);
}

#[tokio::test]
async fn a_stream_that_ends_without_its_last_line_is_whole_when_the_reply_is() {
    let wire = serve(vec![format!("{HEAD}{}{}", token("1"), END.trim_end()).into()], false).await;
    assert_eq!(ask(&model(&wire), question("?")).await.unwrap().first_reply(), "1");
}

#[tokio::test]
async fn stopping_lets_the_connection_go_at_once() {
    let mut wire = serve(vec![HEAD.into(), token("SELECT").into()], true).await;
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let error = complete_request(&model(&wire), question("?"), cancel, move |_| stop.cancel()).await.unwrap_err();
    assert_eq!(error, LlmError::Cancelled);
    tokio::time::timeout(Duration::from_secs(5), wire.let_go.recv()).await.expect("the server notices").unwrap();
}

#[tokio::test]
async fn a_server_that_falls_silent_is_given_up() {
    let wire = serve(vec![HEAD.into()], true).await;
    let patience = Patience { silence: Duration::from_millis(100), ..Patience::default() };
    let model =
        openai::create_model(OpenAiKind::Compatible, ServerConfig { patience, ..config(&wire.base_url) }).unwrap();
    assert_eq!(ask(&model, question("?")).await.unwrap_err(), LlmError::Timeout { seconds: 1 });
    assert_eq!(wire.connections.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let model = openai::create_model(OpenAiKind::Compatible, config(&format!("http://127.0.0.1:{port}"))).unwrap();
    let error = ask(&model, question("?")).await.unwrap_err();
    assert!(matches!(&error, LlmError::Unreachable { message } if message.contains(&port.to_string())), "{error:?}");
}
