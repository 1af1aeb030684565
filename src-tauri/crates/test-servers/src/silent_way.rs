//! A proxy to a server that can fall silent: it forwards no more data, but keeps connections open.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A running proxy with its connections.
pub struct SilentWay {
    /// The address of the server through the proxy.
    pub address: String,
    silent: Arc<AtomicBool>,
    open: Arc<AtomicUsize>,
}

impl SilentWay {
    /// Starts a proxy to a server on this computer.
    pub async fn to(address: &str) -> Self {
        let (before, rest) = address.split_once("127.0.0.1:").unwrap();
        let (port, path) = rest.split_once('/').unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("{before}127.0.0.1:{}/{path}", listener.local_addr().unwrap().port());
        let (silent, port) = (Arc::new(AtomicBool::new(false)), port.parse::<u16>().unwrap());
        let (falls, open) = (silent.clone(), Arc::new(AtomicUsize::new(0)));
        let coming = open.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
                let ((client_reads, client_writes), (server_reads, server_writes)) =
                    (client.into_split(), server.into_split());
                coming.fetch_add(1, Ordering::SeqCst);
                let (from_client, leaving) = (pass(client_reads, server_writes, falls.clone()), coming.clone());
                tokio::spawn(async move {
                    from_client.await;
                    leaving.fetch_sub(1, Ordering::SeqCst);
                });
                tokio::spawn(pass(server_reads, client_writes, falls.clone()));
            }
        });
        Self { address, silent, open }
    }

    /// Returns the number of connections that their caller keeps open.
    pub fn open(&self) -> usize {
        self.open.load(Ordering::SeqCst)
    }

    /// Stops forwarding data.
    pub fn falls_silent(&self) {
        self.silent.store(true, Ordering::SeqCst);
    }
}

async fn pass(
    mut from: tokio::net::tcp::OwnedReadHalf,
    mut to: tokio::net::tcp::OwnedWriteHalf,
    silent: Arc<AtomicBool>,
) {
    let mut bytes = [0; 8192];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        if !silent.load(Ordering::SeqCst) && to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}
