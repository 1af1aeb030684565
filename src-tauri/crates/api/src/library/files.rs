//! The library as plain files in folders, one file per question. A changed question changes only a few lines, and files can be moved before
//! they are read again.

use super::{checked_text, usable_folder};
use crate::app::App;
use crate::sources::redact_sources;
use crate::state::work::{current_timestamp, run_blocking};
use crate::types::{SavedQuestion, SavedStatus};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use vitrine_domain::{AppError, ErrorCode};
use vitrine_store::{is_saved_file, read_saved_file, write_saved_file};
use vitrine_words::tr;

/// Maximum size of a file in bytes.
const LARGEST: u64 = 4 << 20;
/// Maximum number of files in a library, and maximum depth of folders.
const MOST_FILES: usize = 20_000;
const DEEPEST: usize = 16;
/// Maximum number of characters of a title in its file name.
const LONGEST_SLUG: usize = 60;

/// The result of an export.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, specta::Type)]
pub struct ExportedLibrary {
    /// Paths of files that are new or have changed.
    pub written: Vec<PathBuf>,
    /// Number of files that already had the right content.
    pub unchanged: u32,
    /// Paths of removed files, which contained the same questions under another name.
    pub removed: Vec<PathBuf>,
}

/// The result of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, specta::Type)]
pub struct ImportedLibrary {
    /// Titles of questions that were added.
    pub added: Vec<String>,
    /// Titles of questions that were changed.
    pub changed: Vec<String>,
    /// Number of questions that already had the content of their files.
    pub unchanged: u32,
    /// Notes for the user, one sentence each.
    pub notes: Vec<String>,
    /// Files that could not be read, each with the reason. Nothing of them was imported.
    pub refused: Vec<String>,
}

impl App {
    /// Writes saved questions as files below a folder, each in the subfolder of its question. A file of one of these questions in another
    /// place is removed, because the question was moved or renamed. Other files are not changed.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub async fn export_saved(
        &self,
        questions: Vec<SavedQuestion>,
        root: PathBuf,
    ) -> Result<ExportedLibrary, AppError> {
        let mut connections: HashMap<String, String> = HashMap::new();
        for question in &questions {
            if !connections.contains_key(&question.warehouse) {
                let known = self.connection_at(&question.warehouse).await?;
                let name = known.map_or_else(|| redact_sources(&question.warehouse), |known| known.name);
                connections.insert(question.warehouse.clone(), name);
            }
        }
        run_blocking(move || {
            let before = found_in(&root)?;
            let mut done = ExportedLibrary::default();
            for question in &questions {
                let path = root.join(&question.filing.folder).join(file_name(question));
                let text = write_saved_file(question, &connections[&question.warehouse]);
                if std::fs::read_to_string(&path).is_ok_and(|before| before == text) {
                    done.unchanged += 1;
                } else {
                    write_atomically(&path, &text)?;
                    done.written.push(path.clone());
                }
                let moved = before.iter().filter(|(old, text)| {
                    **old != path && read_saved_file(text).is_ok_and(|(old, _)| old.id == question.id)
                });
                for (old, _) in moved {
                    std::fs::remove_file(old).map_err(|error| unwritable_file_error(old, &error))?;
                    done.removed.push(old.clone());
                }
            }
            Ok(done)
        })
        .await
    }

    /// Imports the saved questions of a file, or of all files below a folder, whose subfolders become theirs. A question that was changed
    /// here after its file is kept unless `overwrite` is set. A question whose query differs from the checked one becomes a draft.
    ///
    /// # Errors
    /// When the file or folder does not exist. Problems of single files are in the result.
    pub async fn import_saved(&self, path: PathBuf, overwrite: bool) -> Result<ImportedLibrary, AppError> {
        let (is_folder, root) = (path.is_dir(), path.clone());
        let files = run_blocking(move || if is_folder { found_in(&root) } else { read_single_file(&root) }).await?;
        let mut done = ImportedLibrary::default();
        let mut seen: HashMap<String, PathBuf> = HashMap::new();
        for (file, text) in files {
            let shown = file.strip_prefix(&path).ok().filter(|_| is_folder).unwrap_or(&file).display().to_string();
            let (mut question, connection) = match read_saved_file(&text) {
                Ok(read) => read,
                Err(reason) => {
                    done.refused.push(format!("{shown}: {reason}"));
                    continue;
                }
            };
            if let Some(first) = seen.insert(question.id.clone(), file.clone()) {
                done.refused.push(tr!("{shown}: {other} has the same id", shown, other = first.display()));
                continue;
            }
            let before = self.saved_by_id(&question.id).await?;
            let folder = file.parent().and_then(|folder| folder.strip_prefix(&path).ok()).filter(|_| is_folder);
            question.filing.folder = match (folder, &before) {
                (Some(folder), _) => match usable_folder(&to_slash_path(folder)) {
                    Ok(folder) => folder,
                    Err(error) => {
                        done.refused.push(format!("{shown}: {}", error.message));
                        continue;
                    }
                },
                (None, Some(before)) => before.filing.folder.clone(),
                (None, None) => String::new(),
            };
            let (warehouse, known) = self.address_in_file(&connection).await?;
            if !known {
                done.notes.push(tr!(
                    "{shown}: connection '{connection}' not found; add one to run it",
                    shown,
                    connection
                ));
            }
            question.warehouse = warehouse;
            if let Some(note) = remove_stale_check(&mut question) {
                done.notes.push(format!("{shown}: {note}"));
            }
            match before {
                None => done.added.push(question.title.clone()),
                Some(before) => {
                    question.run_id.clone_from(&before.run_id);
                    if has_same_content(&before, &question) {
                        done.unchanged += 1;
                        continue;
                    }
                    if before.updated_at > question.updated_at && !overwrite {
                        done.notes.push(tr!("{shown}: it was changed here later; your version is kept", shown));
                        continue;
                    }
                    if before.updated_at == question.updated_at {
                        // The file was edited by hand.
                        question.updated_at = current_timestamp();
                    }
                    done.changed.push(question.title.clone());
                }
            }
            self.with_store(move |store| store.save_question(&question)).await?;
        }
        Ok(done)
    }

    /// Returns the address for the connection in a file; the flag is true if it is known on this computer.
    async fn address_in_file(&self, connection: &str) -> Result<(String, bool), AppError> {
        match self.find_connection(connection).await {
            Ok(found) => Ok((found.address, true)),
            Err(error) if error.code == ErrorCode::NotFound => {
                let known = self.warehouses().await?.iter().any(|known| known.uri == connection);
                Ok((redact_sources(connection), known))
            }
            Err(error) => Err(error),
        }
    }
}

/// Removes a check of another query, and makes the question a draft if no valid check remains. Returns a note about the change.
pub(crate) fn remove_stale_check(question: &mut SavedQuestion) -> Option<String> {
    if question.status == SavedStatus::Draft {
        question.filing.checked = None;
        return None;
    }
    let text = checked_text(&question.sql, question.code.as_ref());
    if question.filing.checked.as_ref().is_some_and(|checked| checked.sql_sha256 == text) {
        return None;
    }
    (question.status, question.filing.checked) = (SavedStatus::Draft, None);
    Some(tr!("its query differs from the verified one, so it is a draft"))
}

/// Returns true if both questions are equal except for their times.
fn has_same_content(one: &SavedQuestion, other: &SavedQuestion) -> bool {
    let plain = |question: &SavedQuestion| SavedQuestion {
        updated_at: String::new(),
        created_at: String::new(),
        sql: question.sql.trim_end().to_owned(),
        ..question.clone()
    };
    plain(one) == plain(other)
}

/// Returns the name of a question's file: its title, and the end of its id, which makes the name unique.
fn file_name(question: &SavedQuestion) -> String {
    let mut slug = String::new();
    for letter in question.title.to_lowercase().chars() {
        if letter.is_alphanumeric() {
            slug.push(letter);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug: String = slug.chars().take(LONGEST_SLUG).collect();
    let slug = slug.trim_end_matches('-');
    let id = &question.id[question.id.len().saturating_sub(8)..];
    if slug.is_empty() { format!("{id}.sql") } else { format!("{slug}-{id}.sql") }
}

/// Returns the path with slashes on every operating system.
fn to_slash_path(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect::<Vec<_>>().join("/")
}

/// Reads the files of saved questions below a folder, by path. Links are not followed, and names that begin with a dot are skipped.
fn found_in(root: &Path) -> Result<BTreeMap<PathBuf, String>, AppError> {
    let mut found = BTreeMap::new();
    let mut open = vec![(root.to_path_buf(), 0)];
    while let Some((folder, depth)) = open.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(unreadable_file_error(&folder, &error)),
        };
        for entry in entries {
            let entry = entry.map_err(|error| unreadable_file_error(&folder, &error))?;
            let kind = entry.file_type().map_err(|error| unreadable_file_error(&folder, &error))?;
            let path = entry.path();
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            if kind.is_dir() && depth < DEEPEST {
                open.push((path, depth + 1));
            } else if kind.is_file() && path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("sql")) {
                if found.len() == MOST_FILES {
                    let what = tr!(
                        "{path} contains more than {most} saved questions",
                        path = root.display(),
                        most = MOST_FILES
                    );
                    return Err(AppError::new(ErrorCode::Usage, what).with_hint(tr!("Choose a folder of the library")));
                }
                if entry.metadata().is_ok_and(|data| data.len() <= LARGEST)
                    && let Ok(text) = std::fs::read_to_string(&path)
                    && is_saved_file(&text)
                {
                    found.insert(path, text);
                }
            }
        }
    }
    Ok(found)
}

fn read_single_file(path: &Path) -> Result<BTreeMap<PathBuf, String>, AppError> {
    let size = std::fs::metadata(path).map_err(|error| unreadable_file_error(path, &error))?.len();
    if size > LARGEST {
        let what = tr!("{path} is larger than {size} MB", path = path.display(), size = LARGEST >> 20);
        return Err(AppError::new(ErrorCode::Usage, what).with_hint(tr!("Choose the file of a saved question")));
    }
    let text = std::fs::read_to_string(path).map_err(|error| unreadable_file_error(path, &error))?;
    Ok(BTreeMap::from([(path.to_path_buf(), text)]))
}

/// Writes a file atomically: it is either complete or missing.
fn write_atomically(path: &Path, text: &str) -> Result<(), AppError> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(".part");
    let draft = PathBuf::from(draft);
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    let written = folder.and_then(|()| std::fs::write(&draft, text)).and_then(|()| std::fs::rename(&draft, path));
    written.inspect_err(|_| drop(std::fs::remove_file(&draft))).map_err(|error| unwritable_file_error(path, &error))
}

fn unreadable_file_error(path: &Path, error: &std::io::Error) -> AppError {
    AppError::new(ErrorCode::Usage, tr!("{path} cannot be read", path = path.display()))
        .with_hint(tr!("Check that it exists and that you may read it"))
        .with_detail(error)
}

fn unwritable_file_error(path: &Path, error: &std::io::Error) -> AppError {
    AppError::new(ErrorCode::Usage, tr!("{path} cannot be written", path = path.display()))
        .with_hint(tr!("Check that the folder exists and that there is space"))
        .with_detail(error)
}
