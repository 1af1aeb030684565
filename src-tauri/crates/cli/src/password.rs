//! Reading a server's password without echo.

use crate::end::End;
use crate::output::print_note;
use crate::typing;
use console::Term;
use std::fs::File;
use std::process::{Command, Stdio};
use vitrine_api::App;
use vitrine_domain::ErrorCode;
use vitrine_words::tr;

/// As often as other programs ask.
const TRIES: u32 = 3;

/// The password that somebody at the terminal types; `None` where nobody does.
pub(crate) async fn ask_for_password() -> Option<String> {
    if Term::stderr().is_term() { read_password(format!("{} ", tr!("Password:"))).await } else { None }
}

/// Asks for the password of a warehouse's server, or the passphrase of the key to it, where that is all that is missing and
/// somebody sits at the terminal.
/// Other errors are reported by the command itself.
pub(crate) async fn offer_password_prompt(app: &App, uri: &str) -> Result<(), End> {
    if !Term::stderr().is_term() {
        return Ok(());
    }
    let Some(mut complaint) = app.password_wanted(uri).await else { return Ok(()) };
    for _ in 0..TRIES {
        print_note(&complaint.message);
        let key = complaint.code == ErrorCode::Passphrase;
        let Some(word) = read_password(format!("{} ", if key { tr!("Passphrase:") } else { tr!("Password:") })).await
        else {
            break;
        };
        let given = match key {
            true => app.unlock_key(uri.to_owned(), word).await,
            false => app.sign_in(uri.to_owned(), word).await,
        };
        match given {
            Err(error) if matches!(error.code, ErrorCode::Password | ErrorCode::Passphrase) => complaint = error,
            Err(error) => return Err(error.into()),
            // Behind the key there may be a password.
            Ok(()) => match app.password_wanted(uri).await {
                None => return Ok(()),
                Some(next) => complaint = next,
            },
        }
    }
    Err(complaint.into())
}

/// What was typed after a prompt; `None` when nothing was typed, or there is no terminal.
async fn read_password(prompt: String) -> Option<String> {
    let mut echo = Echo { hidden: true };
    let read = typing::read_on_thread(move || {
        typing::print_prompt(&prompt);
        Term::stderr().read_secure_line()
    });
    let read = read.await.ok();
    echo.hidden = false;
    read?.ok().filter(|password| !password.is_empty())
}

/// The terminal's echo, which comes back with the end of the line. Where the program is stopped before, it is to come
/// back all the same.
struct Echo {
    hidden: bool,
}

impl Drop for Echo {
    fn drop(&mut self) {
        if self.hidden
            && cfg!(unix)
            && let Ok(terminal) = File::open("/dev/tty")
        {
            let _ = Command::new("stty").arg("echo").stdin(terminal).stderr(Stdio::null()).status();
            eprintln!();
        }
    }
}
