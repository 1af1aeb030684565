//! Sets up the environment: an interpreter, the installer, the packages, and a trial run.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;
use vitrine_words::{later, tr};

use tokio_util::sync::CancellationToken;

use crate::environment::{LIBRARIES, OWN_PYTHON, PACKAGES, size_of};
use crate::uv::Uv;
use crate::{Environment, INSTALLED_BYTES, Interpreter, Job, Limits, PythonError, Sandbox, Script};

/// The Python version that uv installs if the system has no suitable interpreter.
const OWN_VERSION: &str = "3.12";
/// The interval at which the size of the folder is reported.
const TICK: Duration = Duration::from_millis(300);
/// Checks that the packages are found and work inside the sandbox.
const TRIAL: &str =
    "import pyarrow\nresult = pl.from_pandas(pd.DataFrame({'a': np.arange(3)})).select(pl.col('a').sum())";

/// A step of setting up the environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Finds or downloads the installer.
    Installer,
    /// Finds or downloads an interpreter.
    Interpreter,
    /// Downloads and unpacks the packages: the longest step.
    Packages,
    /// Runs a trial in the sandbox.
    Trial,
}

/// The progress of setting up the environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The step in progress now.
    pub step: Step,
    /// The bytes on disk so far.
    pub bytes: u64,
    /// The approximate final number of bytes.
    pub total: u64,
}

/// The callback that receives progress.
type OnProgress<'a> = &'a (dyn Fn(Progress) + Send + Sync);

impl Environment {
    /// Sets up the environment below `folder`: downloads about 130 MB from the user's package index and needs about
    /// [`INSTALLED_BYTES`] on disk, temporarily half as much again. A previous environment is replaced only at the end,
    /// so that failure or cancellation changes nothing. The packages are verified against hashes in this program, and
    /// run only inside `sandbox`.
    pub async fn install(
        folder: &Path,
        sandbox: &Sandbox,
        progress: OnProgress<'_>,
        cancel: &CancellationToken,
    ) -> Result<Self, PythonError> {
        // Without a sandbox the environment could not be used.
        sandbox.check_available().await.map_err(|why| PythonError::NoSandbox { why })?;
        fs::create_dir_all(folder).map_err(|error| PythonError::from_folder_io(folder, error))?;
        let _alone = lock_folder(folder)?;
        let workshop = Self::staging_folder(folder);
        let clean = || match fs::remove_dir_all(&workshop) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(PythonError::from_folder_io(&workshop, error))
            }
            _ => Ok(()),
        };
        clean()?;
        fs::create_dir(&workshop).map_err(|error| PythonError::from_folder_io(&workshop, error))?;
        let made = assemble_environment(folder, &workshop, sandbox, progress, cancel).await;
        if made.is_err() {
            let _ = clean();
        }
        made
    }
}

async fn assemble_environment(
    folder: &Path,
    workshop: &Path,
    sandbox: &Sandbox,
    progress: OnProgress<'_>,
    cancel: &CancellationToken,
) -> Result<Environment, PythonError> {
    let tell = |step| progress(Progress { step, bytes: size_of(workshop), total: INSTALLED_BYTES });
    tell(Step::Installer);
    let uv = Uv::find_or_install(workshop, cancel).await?;
    tell(Step::Interpreter);
    let interpreter = match Interpreter::of_system().await {
        Some(interpreter) => interpreter,
        None => own_interpreter(&uv, workshop, cancel).await?,
    };
    stop_if(cancel)?;
    let growing = async {
        loop {
            tell(Step::Packages);
            tokio::time::sleep(TICK).await;
        }
    };
    tokio::select! {
        done = install_packages(&uv, &interpreter, workshop, cancel) => done?,
        () = growing => {}
    }
    for leftover in ["cache", "uv"] {
        let _ = fs::remove_dir_all(workshop.join(leftover));
    }
    stop_if(cancel)?;
    tell(Step::Trial);
    let (packages, interpreter) = (workshop.join(LIBRARIES), interpreter);
    run_trial(&Environment::with_packages(interpreter.clone(), packages), workshop, sandbox, cancel).await?;
    Environment::move_into_place(
        folder,
        relocate_interpreter(interpreter, workshop, &Environment::final_folder(folder)),
    )
}

fn stop_if(cancel: &CancellationToken) -> Result<(), PythonError> {
    if cancel.is_cancelled() { Err(PythonError::Cancelled) } else { Ok(()) }
}

async fn install_packages(
    uv: &Uv,
    interpreter: &Interpreter,
    workshop: &Path,
    cancel: &CancellationToken,
) -> Result<(), PythonError> {
    let list = workshop.join("packages.txt");
    fs::write(&list, PACKAGES).map_err(|error| PythonError::from_folder_io(&list, error))?;
    let exe = interpreter.exe.to_string_lossy();
    let mut arguments = vec!["pip", "install", "--python", &*exe, "--target", LIBRARIES, "--cache-dir", "cache"];
    // Building a source archive would run its code outside the sandbox.
    arguments.extend(["--require-hashes", "--no-deps", "--only-binary", ":all:", "--compile-bytecode"]);
    arguments.extend(["--requirement", "packages.txt"]);
    uv.run(later!("installing the packages"), &arguments, workshop, cancel, |line| tracing::debug!("uv: {line}")).await
}

async fn own_interpreter(uv: &Uv, workshop: &Path, cancel: &CancellationToken) -> Result<Interpreter, PythonError> {
    const WHAT: &str = later!("fetching Python");
    let arguments = ["python", "install", OWN_VERSION, "--install-dir", OWN_PYTHON, "--cache-dir", "cache", "--no-bin"];
    uv.run(WHAT, &arguments, workshop, cancel, |line| tracing::debug!("uv: {line}")).await?;
    let failed = |message: String| PythonError::Install {
        what: WHAT,
        message,
        hint: later!("Install Python 3.10 to 3.14 from your system's packages, and try again."),
    };
    let home = workshop.join(OWN_PYTHON);
    let folders = fs::read_dir(&home).map_err(|error| PythonError::from_folder_io(&home, error))?;
    let mut reason = tr!("it is not where it should be");
    for folder in folders.flatten() {
        match Interpreter::from_program(&folder.path().join("bin/python3")).await {
            Ok(interpreter) => return Ok(interpreter),
            Err(why) => reason = why,
        }
    }
    Err(failed(reason))
}

/// Adjusts the interpreter's paths to the final folder of the environment.
fn relocate_interpreter(interpreter: Interpreter, workshop: &Path, home: &Path) -> Interpreter {
    let workshop = fs::canonicalize(workshop).unwrap_or_else(|_| workshop.to_owned());
    let to = |path: PathBuf| match path.strip_prefix(&workshop) {
        Ok(inner) => home.join(inner),
        Err(_) => path,
    };
    let readable = interpreter.readable.into_iter().map(to).collect();
    Interpreter { exe: to(interpreter.exe), readable, ..interpreter }
}

async fn run_trial(
    environment: &Environment,
    workshop: &Path,
    sandbox: &Sandbox,
    cancel: &CancellationToken,
) -> Result<(), PythonError> {
    let script = Script::new(TRIAL)?;
    let output = workshop.join("trial.parquet");
    let job = Job { script: &script, inputs: &[], output: &output };
    let limits = Limits { time: Duration::from_secs(120), ..Limits::default() };
    let failed = |error: PythonError| match error {
        PythonError::Cancelled => error,
        error => PythonError::Install {
            what: later!("a trial run"),
            message: error.in_words(),
            hint: later!("The packages need the C++ library (libstdc++) of the system."),
        },
    };
    sandbox.run(environment, job, &limits, cancel).await.map_err(failed)?;
    fs::remove_file(&output).map_err(|error| PythonError::from_folder_io(&output, error))
}

/// Locks the folder for this process; fails with [`PythonError::Busy`] if another process has the lock.
fn lock_folder(folder: &Path) -> Result<File, PythonError> {
    let path = folder.join(".lock");
    let file = File::create(&path).map_err(|error| PythonError::from_folder_io(&path, error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(PythonError::Busy),
        Err(TryLockError::Error(error)) => Err(PythonError::from_folder_io(&path, error)),
    }
}
