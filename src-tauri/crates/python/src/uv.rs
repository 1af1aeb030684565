//! The installer uv: the user's own, or one that pip downloads from the user's package index for one use.

use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use vitrine_words::{later, tr};

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::Command;
use tokio_util::sync::CancellationToken;

use crate::PythonError;

/// The pinned version to download, with hashes.
const PIN: &str = include_str!("../pins/uv.txt");
/// The oldest supported version of the user's own uv.
const OLDEST: (u32, u32) = (0, 5);
/// Maximum number of lines of a tool's output in a message.
const TOLD: usize = 3;

const NO_UV: &str = later!("Install uv, or pip for your Python, and try again.");
const NO_INDEX: &str = later!("Check the connection, and the package index and proxy that pip is set up for.");

/// Environment variables that set uv's package index.
const INDEX_VARIABLES: &[&str] = &["UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_INDEX", "UV_EXTRA_INDEX_URL"];

/// An installer program with its package index.
#[derive(Debug, Clone)]
pub struct Uv {
    program: PathBuf,
    /// Variables that set pip's index for uv, if the user has not configured uv. Not passed as arguments, because an
    /// index address may contain a password, and all users of a machine can see the arguments of programs.
    index: Vec<(&'static str, String)>,
}

impl Uv {
    /// Uses the user's own installer, or installs one into `folder` with pip.
    pub async fn find_or_install(folder: &Path, cancel: &CancellationToken) -> Result<Self, PythonError> {
        let program = match find_installed(folder).await {
            Some(program) => program,
            None => install_with_pip(folder, cancel).await?,
        };
        let own_index = INDEX_VARIABLES.iter().any(|name| std::env::var_os(name).is_some());
        let index = if own_index { Vec::new() } else { index_of_pip(folder, cancel).await };
        Ok(Self { program, index })
    }

    /// Runs one command of uv; each line of its error output is passed to `on_line`.
    pub async fn run(
        &self,
        what: &'static str,
        arguments: &[&str],
        folder: &Path,
        cancel: &CancellationToken,
        on_line: impl FnMut(&str),
    ) -> Result<(), PythonError> {
        let mut command = Command::new(&self.program);
        // Uses the system's certificates, because a company's proxy is often trusted only there.
        command.args(arguments).current_dir(folder).env("UV_SYSTEM_CERTS", "1").env("UV_NATIVE_TLS", "1");
        command.env("NO_COLOR", "1").env("UV_NO_PROGRESS", "1");
        command.envs(self.index.iter().map(|(name, value)| (*name, value.as_str())));
        let output =
            run_command(command, cancel, on_line).await.map_err(|error| install_error(what, error, NO_INDEX))?;
        output.map_or(Err(PythonError::Cancelled), |output| check_success(what, &output, NO_INDEX).map(drop))
    }
}

fn install_error(what: &'static str, message: impl ToString, hint: &'static str) -> PythonError {
    PythonError::Install { what, message: message.to_string(), hint }
}

/// Starts the pip of the Python on the search path. Without these options and folder, it could run a `pip.py` from the
/// user's current folder, and modules from `PYTHONPATH`.
fn pip_command(folder: &Path) -> Command {
    let mut command = Command::new("python3");
    command.args(["-I", "-m", "pip"]).current_dir(folder);
    command
}

async fn find_installed(folder: &Path) -> Option<PathBuf> {
    let mut command = Command::new("uv");
    let output =
        command.arg("--version").current_dir(folder).stdin(Stdio::null()).stderr(Stdio::null()).output().await.ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut numbers = text.split_whitespace().nth(1)?.split('.').map_while(|n| n.parse().ok());
    ((numbers.next()?, numbers.next()?) >= OLDEST).then(|| PathBuf::from("uv"))
}

async fn install_with_pip(folder: &Path, cancel: &CancellationToken) -> Result<PathBuf, PythonError> {
    const WHAT: &str = later!("fetching uv");
    let pin = folder.join("uv.txt");
    std::fs::write(&pin, PIN).map_err(|error| PythonError::from_folder_io(&pin, error))?;
    let into = folder.join("uv");
    let mut command = pip_command(folder);
    command
        .args(["install", "--quiet", "--no-input", "--disable-pip-version-check", "--no-deps"])
        .args(["--only-binary", ":all:", "--require-hashes", "--target"])
        .arg(&into)
        .arg("--requirement")
        .arg(&pin);
    let output = match run_command(command, cancel, |_| {}).await {
        Ok(Some(output)) => output,
        Ok(None) => return Err(PythonError::Cancelled),
        Err(error) => return Err(install_error(WHAT, error, NO_UV)),
    };
    let no_pip = String::from_utf8_lossy(&output.stderr).contains("No module named pip");
    check_success(WHAT, &output, if no_pip { NO_UV } else { NO_INDEX })?;
    let program = into.join("bin").join("uv");
    if program.is_file() {
        Ok(program)
    } else {
        Err(install_error(WHAT, tr!("the package does not contain it"), NO_UV))
    }
}

/// Reads pip's index, because uv ignores pip's settings.
async fn index_of_pip(folder: &Path, cancel: &CancellationToken) -> Vec<(&'static str, String)> {
    let mut command = pip_command(folder);
    command.args(["config", "list"]);
    match run_command(command, cancel, |_| {}).await {
        Ok(Some(output)) => index_variables(&String::from_utf8_lossy(&output.stdout)),
        _ => vec![],
    }
}

/// Parses lines such as `global.index-url='https://...'`; later lines take precedence, as in pip.
fn index_variables(settings: &str) -> Vec<(&'static str, String)> {
    let of = |key: &str| {
        let value = settings.lines().rev().find_map(|line| {
            let (name, value) = line.split_once('=')?;
            let ours = name.rsplit('.').next() == Some(key)
                && ["global", "install", ":env:"].iter().any(|s| name.starts_with(s));
            ours.then(|| value.trim_matches(['\'', '"']).to_owned())
        });
        let value = value?.replace("\\n", " ").split_whitespace().collect::<Vec<_>>().join(" ");
        (!value.is_empty()).then_some(value)
    };
    let main = of("index-url").map(|url| ("UV_DEFAULT_INDEX", url));
    let extra = of("extra-index-url").map(|urls| ("UV_INDEX", urls));
    main.into_iter().chain(extra).collect()
}

/// Runs a command to its end; returns `None` when cancelled. Passes each line of its error output on as it arrives.
async fn run_command(
    mut command: Command,
    cancel: &CancellationToken,
    mut on_line: impl FnMut(&str),
) -> std::io::Result<Option<Output>> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn()?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let work = async {
        let ((), stdout, stderr) = tokio::join!(async {}, read_lines(stdout, |_| {}), read_lines(stderr, &mut on_line));
        child.wait().await.map(|status| Output { status, stdout, stderr })
    };
    let done = tokio::select! {
        output = work => Some(output),
        () = cancel.cancelled() => None,
    };
    match done {
        Some(output) => output.map(Some),
        None => {
            // The process must not continue to write, because its files are about to be deleted.
            let _ = child.kill().await;
            Ok(None)
        }
    }
}

async fn read_lines(pipe: Option<impl AsyncRead + Unpin>, mut on_line: impl FnMut(&str)) -> Vec<u8> {
    let mut all = Vec::new();
    let Some(pipe) = pipe else { return all };
    let mut input = BufReader::new(pipe);
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line).await.is_ok_and(|read| read > 0) {
        on_line(String::from_utf8_lossy(&line).trim());
        all.append(&mut line);
    }
    all
}

fn check_success<'a>(what: &'static str, output: &'a Output, hint: &'static str) -> Result<&'a Output, PythonError> {
    if output.status.success() {
        return Ok(output);
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let message = without_logins(&lines[lines.len().saturating_sub(TOLD)..].join(" "));
    Err(install_error(what, if message.is_empty() { output.status.to_string() } else { message }, hint))
}

/// Removes names and passwords from addresses in a message.
fn without_logins(message: &str) -> String {
    let mut parts = message.split("://");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let authority = part.find(['/', ' ', '\'', '"', '`', ')']).unwrap_or(part.len());
        let from = part[..authority].rfind('@').map_or(0, |at| at + 1);
        shown.push_str("://");
        shown.push_str(&part[from..]);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_of_pip_is_given_to_uv() {
        let settings = ":env:.cert='/a.crt'\nglobal.index-url='http://global/simple'\nglobal.extra-index-url='http://a/s http://b/s'\n\
                        user.index-url='no'\n:env:.index-url='http://env/simple'";
        let expected = [("UV_DEFAULT_INDEX", "http://env/simple"), ("UV_INDEX", "http://a/s http://b/s")];
        assert_eq!(index_variables(settings), expected.map(|(name, value)| (name, value.to_owned())));
        assert!(index_variables("global.cert='/a.crt'").is_empty());
    }

    #[test]
    fn messages_show_no_login() {
        for (said, shown) in [
            ("cannot reach https://ann:pass@host/simple: no", "cannot reach https://host/simple: no"),
            ("`https://token@host` and http://b:c@d:1/x", "`https://host` and http://d:1/x"),
            ("https://host/a@b is not there; mail ann@host", "https://host/a@b is not there; mail ann@host"),
        ] {
            assert_eq!(without_logins(said), shown);
        }
    }

    /// Uses a substitute for uv that records how it was started.
    #[cfg(unix)]
    #[tokio::test]
    async fn no_password_of_an_index_is_an_argument() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("uv");
        std::fs::write(
            &program,
            "#!/bin/sh\ntr '\\0' ' ' < /proc/$$/cmdline > arguments\nprintf %s \"$UV_DEFAULT_INDEX\" > index\n",
        )
        .unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700)).unwrap();
        let index = index_variables("global.index-url='https://ann:pass@host/simple'");
        let uv = Uv { program, index };
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        uv.run("a trial", &["pip", "install", "x"], folder.path(), &CancellationToken::new(), |_| {}).await.unwrap();
        assert!(read("arguments").contains("pip install x") && !read("arguments").contains("pass"));
        assert_eq!(read("index"), "https://ann:pass@host/simple");
    }

    const ELSEWHERE: &str = "VITRINE_TEST_ELSEWHERE";

    /// A helper of the next test: starts programs in a folder of another user.
    #[tokio::test]
    #[ignore = "started by the test below"]
    async fn what_is_started_in_that_folder() {
        let Ok(folder) = std::env::var(ELSEWHERE) else { return };
        index_of_pip(Path::new(&folder), &CancellationToken::new()).await;
        let _ = install_with_pip(Path::new(&folder), &CancellationToken::new()).await;
        let _ = crate::Interpreter::of_system().await;
    }

    #[test]
    fn nothing_in_the_current_folder_is_run() {
        let (here, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for module in ["pip", "json", "platform", "sitecustomize"] {
            let text = format!("open({:?}, 'w').close()\nraise SystemExit", here.path().join("it-ran"));
            std::fs::write(here.path().join(module).with_extension("py"), text).unwrap();
        }
        let done = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "uv::tests::what_is_started_in_that_folder", "--ignored", "--nocapture"])
            .env(ELSEWHERE, elsewhere.path())
            .env("PYTHONPATH", here.path())
            // Prevents pip from accessing the network.
            .env("PIP_NO_INDEX", "1")
            .current_dir(here.path())
            .status();
        assert!(done.unwrap().success());
        assert!(!here.path().join("it-ran").exists());
    }
}
