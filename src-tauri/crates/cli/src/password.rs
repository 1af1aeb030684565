//! Reads a server's password without echo.

use crate::end::End;
use crate::output::print_note;
use crate::typing;
use console::Term;
use std::fs::File;
use std::process::{Command, Stdio};
use vitrine_api::App;
use vitrine_domain::ErrorCode;
use vitrine_words::tr;

/// Number of attempts, as in other programs.
const TRIES: u32 = 3;

/// Returns the password typed at the terminal. `None` without a terminal or input.
pub(crate) async fn ask_for_password() -> Option<String> {
    if Term::stderr().is_term() { read_password(format!("{} ", tr!("Password:"))).await } else { None }
}

/// Asks for the password of a warehouse's server, or the passphrase of its key, if only that is missing and a user is
/// at the terminal. The command itself reports other errors.
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
            // After the key, the server may still require a password.
            Ok(()) => match app.password_wanted(uri).await {
                None => return Ok(()),
                Some(next) => complaint = next,
            },
        }
    }
    Err(complaint.into())
}

/// Returns the text typed after a prompt. `None` if nothing was typed, or without a terminal.
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

/// Restores the terminal's echo, also if the program is stopped before the end of the line.
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
