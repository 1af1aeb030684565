//! What the program is asked for: to run, or one of the options that all AppImages have.

use crate::image::{Image, offset};
use crate::unpack::unpacked;
use anyhow::{Context, Result, anyhow, bail};
use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Where `--appimage-extract` writes to; all AppImages call it so.
const EXTRACTED: &str = "squashfs-root";

const HELP: &str = "\
Options of the AppImage itself; all others are those of the program in it.
  --appimage-extract   write the files into ./squashfs-root
  --appimage-offset    say at which byte the image begins
  --appimage-version   say which version this is
  --appimage-help      say this

The files are unpacked once into the user's cache folder (XDG_CACHE_HOME, or ~/.cache), and run from there. FUSE is not needed.";

/// Runs what the arguments ask for.
pub fn main() -> ExitCode {
    match asked() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn asked() -> Result<()> {
    let program = env::current_exe().context("this program does not find its own file: /proc is not there")?;
    let mut arguments = env::args_os();
    let name = arguments.next().unwrap_or_default();
    let mut arguments = arguments.peekable();
    let option = arguments.next_if(|argument| argument.as_encoded_bytes().starts_with(b"--appimage-"));
    match option.as_ref().map(|option| option.to_string_lossy()).as_deref() {
        // It is never run in another way.
        None | Some("--appimage-extract-and-run") => run(&program, name, arguments),
        Some("--appimage-extract") => extract(&program, Path::new(EXTRACTED)),
        Some("--appimage-offset") => said(&offset(&mut File::open(&program)?)?.to_string()),
        Some("--appimage-version") => said(&format!("Vitrine {}", env!("CARGO_PKG_VERSION"))),
        Some("--appimage-help") => said(HELP),
        Some(unknown) => bail!("{unknown} is not an option of this AppImage; --appimage-help lists them"),
    }
}

fn said(text: &str) -> Result<()> {
    println!("{text}");
    Ok(())
}

fn extract(program: &Path, folder: &Path) -> Result<()> {
    let image = Image::open(program)?;
    fs::create_dir(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    image.extract(folder)?;
    said(EXTRACTED)
}

/// Becomes the program in the image. Comes back only when it cannot be started.
fn run(program: &Path, name: OsString, arguments: impl Iterator<Item = OsString>) -> Result<()> {
    let unpacked = unpacked(&Image::open(program)?, &cache()?)?;
    // The folder stays locked as long as what is started now has it open.
    rustix::io::fcntl_setfd(&unpacked.lock, rustix::io::FdFlags::empty())?;
    let mut start = Command::new(unpacked.folder.join("AppRun"));
    start.args(arguments).env("APPIMAGE", program).env("APPDIR", &unpacked.folder).env("ARGV0", name);
    if let Ok(folder) = env::current_dir() {
        start.env("OWD", folder);
    }
    Err(anyhow!(start.exec()).context(format!("{} cannot be started", unpacked.folder.display())))
}

/// The folder of unpacked images.
fn cache() -> Result<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    let cache =
        cache.context("there is no folder to unpack to: set HOME or XDG_CACHE_HOME, or use --appimage-extract")?;
    Ok(cache.join("vitrine").join("appimage"))
}
