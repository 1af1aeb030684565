//! `vitrine connections sign-in`: in the browser of this computer or another one.

use crate::end::End;
use crate::output::{print_note, sanitize_text};
use crate::stop::Stop;
use crate::typing;
use console::Term;
use std::io::Write;
use std::net::{Ipv4Addr, TcpStream};
use vitrine_api::{App, PasswordPlace};
use vitrine_words::tr;

pub(crate) async fn sign_in(app: &App, connection: String, no_browser: bool, stop: &Stop) -> Result<(), End> {
    // After this command, only the keychain holds the sign-in.
    app.check_keychain().await?;
    let at_terminal = Term::stderr().is_term() && Term::stdout().is_term();
    let mut secret = None;
    if at_terminal && app.google_secret_missing(&connection).await? {
        typing::print_prompt(&format!("{} ", tr!("Client secret (not shown; empty where the client has none):")));
        secret = typing::read_on_thread(|| Term::stderr().read_secure_line()).await.ok().and_then(Result::ok);
    }
    if !no_browser {
        app.set_browser(vitrine_api::open_page);
    }
    let begun = app.begin_google_sign_in(connection, secret).await?;
    print_note(&match begun.opened {
        true => tr!("the browser opens Google's page; if it does not, open this address:"),
        false => tr!("open this address:"),
    });
    print_note(&sanitize_text(&begun.url, false));
    if at_terminal {
        print_note(&tr!(
            "where the browser is on another machine, paste the address here that it ends at (http://127.0.0.1:...):"
        ));
        let redirect = parse_redirect(&begun.url);
        std::thread::spawn(move || {
            while let Ok(line) = Term::stdout().read_line() {
                if !redirect.as_deref().is_some_and(|redirect| forward_response(redirect, line.trim()))
                    && !line.trim().is_empty()
                {
                    print_note(&tr!("this is not the address that the browser ends at"));
                }
            }
        });
    }
    let give_up = async {
        stop.token().cancelled().await;
        let _ = app.cancel_job(begun.job_id.clone()).await;
        std::future::pending::<()>().await;
    };
    let done = tokio::select! {
        done = app.finish_google_sign_in(begun.job_id.clone()) => done?,
        () = give_up => return Ok(()),
    };
    match done.place {
        PasswordPlace::Keychain => print_note(&tr!("signed in; the sign-in is stored in the system's keychain")),
        _ => print_note(&tr!(
            "signed in, but the sign-in was not stored: {reason}",
            reason = done.note.unwrap_or_default()
        )),
    }
    Ok(())
}

/// Returns the address to which Google redirects the browser, from the address of its sign-in page.
fn parse_redirect(url: &str) -> Option<String> {
    let (_, behind) = url.split_once("redirect_uri=http%3A%2F%2F127.0.0.1%3A")?;
    let port: String = behind.chars().take_while(char::is_ascii_digit).collect();
    Some(format!("http://127.0.0.1:{port}"))
}

/// Forwards a response from a browser on another computer to the local listener. Returns false if the pasted text is
/// not such a response.
fn forward_response(redirect: &str, pasted: &str) -> bool {
    let Some(query) = pasted.strip_prefix(redirect).map(|rest| rest.trim_start_matches('/')) else { return false };
    let port = redirect.rsplit(':').next().and_then(|port| port.parse::<u16>().ok());
    let is_query =
        query.starts_with('?') && !query.contains(|letter: char| letter.is_whitespace() || letter.is_control());
    let Some(port) = port.filter(|_| is_query) else { return false };
    let sent = TcpStream::connect((Ipv4Addr::LOCALHOST, port))
        .and_then(|mut listener| write!(listener, "GET /{query} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"));
    sent.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn a_pasted_answer_reaches_the_listener_that_it_is_for() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let page = format!(
            "https://accounts.google.com/o/oauth2/v2/auth?client_id=c&redirect_uri=http%3A%2F%2F127.0.0.1%3A{port}&state=s"
        );
        let redirect = parse_redirect(&page).unwrap();
        assert_eq!(redirect, format!("http://127.0.0.1:{port}"));
        for other in
            ["", "hello", "http://127.0.0.1:1/?code=c", "http://evil.example/?code=c", &format!("{redirect}/?a=b c")]
        {
            assert!(!forward_response(&redirect, other), "{other}");
        }
        assert!(forward_response(&redirect, &format!("{redirect}/?state=s&code=c")));
        let mut sent = [0; 128];
        let read = listener.accept().unwrap().0.read(&mut sent).unwrap();
        assert!(sent[..read].starts_with(b"GET /?state=s&code=c HTTP/1.1\r\n"));
    }
}
