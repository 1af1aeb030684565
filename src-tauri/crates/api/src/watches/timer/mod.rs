//! The entry in this computer's scheduler that runs the watched answers: a systemd user timer, a launchd agent, or a task of the Task
//! Scheduler. It starts the program every few minutes, and the program decides which answers are due.

mod entry;
mod launchd;
mod systemd;
mod task_scheduler;
#[cfg(test)]
mod tests;

pub use entry::{SchedulerEntry, SchedulerFile};

use crate::app::App;
use crate::folders::Folders;
use crate::state::work::run_blocking;
use entry::Program;
use serde::{Deserialize, Serialize};
use specta::Type;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

/// A scheduler of an operating system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum Scheduler {
    /// A user timer of systemd, on Linux.
    Systemd,
    /// An agent of launchd, on macOS.
    Launchd,
    /// A task of the Task Scheduler, on Windows.
    TaskScheduler,
}

impl Scheduler {
    /// Returns the scheduler of this operating system.
    pub fn of_system() -> Self {
        if cfg!(windows) {
            Self::TaskScheduler
        } else if cfg!(target_os = "macos") {
            Self::Launchd
        } else {
            Self::Systemd
        }
    }
}

impl App {
    /// Returns the entry of a scheduler without writing it.
    ///
    /// # Errors
    /// When the folders of this account cannot be determined, or the scheduler cannot pass on the folders of this program.
    pub async fn scheduler_entry(&self, scheduler: Scheduler) -> Result<SchedulerEntry, AppError> {
        let folders = &self.inner.options.folders;
        let program = Program::with_folders(&self.inner.options.worker_exe, folders)?;
        let home = dirs::home_dir().ok_or_else(no_folder_error)?;
        Ok(match scheduler {
            Scheduler::Systemd => systemd::build_entry(&program, &dirs::config_dir().ok_or_else(no_folder_error)?),
            Scheduler::Launchd => launchd::build_entry(&program, &home),
            Scheduler::TaskScheduler => {
                check_usual_folders(folders, &home)?;
                task_scheduler::build_entry(&program, &folders.data)
            }
        })
    }

    /// Returns true if the entry in this computer's scheduler is installed.
    pub async fn is_scheduler_installed(&self) -> bool {
        match self.scheduler_entry(Scheduler::of_system()).await {
            Ok(entry) => entry.files.iter().all(|file| Path::new(&file.path).is_file()),
            Err(_) => false,
        }
    }

    /// Installs the entry in this computer's scheduler, replacing an earlier one.
    ///
    /// # Errors
    /// When a file cannot be written, or the scheduler refuses the entry; then earlier files are restored.
    pub async fn install_scheduler(&self) -> Result<SchedulerEntry, AppError> {
        let entry = self.scheduler_entry(Scheduler::of_system()).await?;
        let installed = entry.clone();
        run_blocking(move || install_entry(&entry)).await?;
        Ok(installed)
    }

    /// Removes the entry from this computer's scheduler.
    ///
    /// # Errors
    /// When it is not installed, or a file cannot be removed.
    pub async fn remove_scheduler(&self) -> Result<SchedulerEntry, AppError> {
        if !self.is_scheduler_installed().await {
            return Err(AppError::new(ErrorCode::NotFound, tr!("The timer is not installed"))
                .with_hint(tr!("Install it with: vitrine saved timer install")));
        }
        let entry = self.scheduler_entry(Scheduler::of_system()).await?;
        let removed = entry.clone();
        run_blocking(move || remove_entry(&entry)).await?;
        Ok(removed)
    }
}

/// Checks that the program uses the usual folders: a task of the Task Scheduler has no variables of its own.
fn check_usual_folders(folders: &Folders, home: &Path) -> Result<(), AppError> {
    if *folders == Folders::in_home(home) {
        return Ok(());
    }
    let message = tr!(
        "The Task Scheduler would start Vitrine with the usual folders, not with {folder}",
        folder = folders.data.display()
    );
    Err(AppError::new(ErrorCode::Usage, message)
        .with_hint(tr!("Install the timer without VITRINE_HOME, VITRINE_CACHE, XDG_DATA_HOME and XDG_CACHE_HOME")))
}

fn no_folder_error() -> AppError {
    AppError::new(ErrorCode::Internal, tr!("The home folder of this account cannot be determined"))
        .with_hint(tr!("Set HOME"))
}

fn install_entry(entry: &SchedulerEntry) -> Result<(), AppError> {
    let before: Vec<(PathBuf, Option<Vec<u8>>)> =
        entry.files.iter().map(|file| (PathBuf::from(&file.path), std::fs::read(&file.path).ok())).collect();
    let installed = entry.files.iter().try_for_each(write_scheduler_file).and_then(|()| run_commands(&entry.activate));
    if installed.is_err() {
        for (path, content) in before {
            let _ = match content {
                Some(content) => std::fs::write(&path, content),
                None => std::fs::remove_file(&path),
            };
        }
    }
    installed
}

fn write_scheduler_file(file: &SchedulerFile) -> Result<(), AppError> {
    let path = Path::new(&file.path);
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    let bytes = match path.extension().is_some_and(|extension| extension == "xml") {
        true => task_scheduler::encode(&file.content),
        false => file.content.clone().into_bytes(),
    };
    folder.and_then(|()| vitrine_warehouse::write_file(path, &bytes)).map_err(|error| {
        AppError::new(ErrorCode::Internal, tr!("{path} cannot be written", path = path.display()))
            .with_hint(tr!("Check that the folder exists and that there is space"))
            .with_detail(error)
    })
}

fn remove_entry(entry: &SchedulerEntry) -> Result<(), AppError> {
    // A scheduler that does not run has nothing to deactivate, and the files are removed anyway.
    let deactivated = run_commands(&entry.deactivate);
    for file in &entry.files {
        std::fs::remove_file(&file.path).map_err(|error| {
            AppError::new(ErrorCode::Internal, tr!("{path} cannot be removed", path = file.path)).with_detail(error)
        })?;
    }
    deactivated
}

fn run_commands(commands: &[Vec<String>]) -> Result<(), AppError> {
    for command in commands {
        let [program, arguments @ ..] = command.as_slice() else { continue };
        let done = Command::new(program).args(arguments).stdin(Stdio::null()).output();
        let detail = match done {
            Ok(output) if output.status.success() => continue,
            Ok(output) => String::from_utf8_lossy(&output.stderr).trim().to_owned(),
            Err(error) => error.to_string(),
        };
        let command = command.join(" ");
        return Err(AppError::new(
            ErrorCode::Internal,
            tr!("The scheduler did not accept the timer: {command}", command),
        )
        .with_hint(tr!("Run `vitrine saved run --due` every few minutes another way, such as with cron"))
        .with_detail(detail));
    }
    Ok(())
}
