//! Credentials files of Google's own programs.

use std::path::PathBuf;

/// Returns the file that `GOOGLE_APPLICATION_CREDENTIALS` names, or the one that `gcloud auth application-default login` writes, if it
/// exists.
pub(crate) fn find_credentials_file() -> Option<PathBuf> {
    let named = std::env::var_os("GOOGLE_APPLICATION_CREDENTIALS").filter(|path| !path.is_empty());
    named.map(PathBuf::from).or_else(|| default_credentials_file().filter(|path| path.exists()))
}

fn default_credentials_file() -> Option<PathBuf> {
    let own = std::env::var_os("CLOUDSDK_CONFIG").filter(|path| !path.is_empty()).map(PathBuf::from);
    let folder = own.or_else(|| {
        if cfg!(windows) {
            return Some(dirs::data_dir()?.join("gcloud"));
        }
        Some(dirs::home_dir()?.join(".config").join("gcloud"))
    });
    Some(folder?.join("application_default_credentials.json"))
}
