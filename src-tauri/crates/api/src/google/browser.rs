//! Opening pages in the system's browser.

use std::io;
use std::process::{Command, Stdio};

/// Opens a page in the system's browser.
///
/// # Errors
/// When no browser is found, or the address is not a web address.
pub fn open_page(url: &str) -> io::Result<()> {
    // The system's opener would also start programs and files that an address names.
    if !url.starts_with("https://") && !url.starts_with("http://127.0.0.1:") && !url.starts_with("http://localhost:") {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut command = if cfg!(target_os = "windows") {
        let mut command = Command::new("rundll32.exe");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else if cfg!(target_os = "macos") {
        Command::new("open")
    } else {
        Command::new("xdg-open")
    };
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut started = command.spawn()?;
    // The opener ends immediately, and only this thread waits for it.
    std::thread::spawn(move || drop(started.wait()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::open_page;

    #[test]
    fn only_pages_are_opened() {
        for other in ["file:///etc/passwd", "/bin/sh", "-h", "javascript:alert(1)", "http://127.0.0.1.evil.example/"] {
            assert_eq!(open_page(other).unwrap_err().kind(), std::io::ErrorKind::InvalidInput, "{other}");
        }
    }
}
