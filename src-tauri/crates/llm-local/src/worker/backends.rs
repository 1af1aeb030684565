//! Finds llama.cpp's processor kernels at run time, and records its error messages.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_void};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use llama_cpp_2::list_llama_ggml_backend_devices;
use llama_cpp_2::llama_backend::load_backends_from_path;

/// Loads the fastest kernels that work on this processor. Must be called while the process has a single thread.
pub(crate) fn load_kernels() -> Result<(), String> {
    let folders = candidate_folders();
    for folder in folders.iter().filter(|f| has_kernels(f)) {
        if !load_instead(folder) {
            load_backends_from_path(folder);
        }
        if !list_llama_ggml_backend_devices().is_empty() {
            return Ok(());
        }
    }
    let listed: Vec<String> = folders.iter().map(|f| f.display().to_string()).collect();
    Err(format!(
        "llama.cpp's processor libraries (libggml-cpu-*) were not found in {}. Install the program again, with all its \
         files",
        listed.join(", ")
    ))
}

#[cfg(target_os = "linux")]
use crate::worker::kernels::load_instead;

/// Kernel trials need `fork`, so they run only on Linux; elsewhere llama.cpp chooses the kernels.
#[cfg(not(target_os = "linux"))]
fn load_instead(_: &Path) -> bool {
    false
}

/// Returns the first folder that contains kernels.
#[cfg(all(test, target_os = "linux"))]
pub(crate) fn kernels_folder() -> Option<PathBuf> {
    candidate_folders().into_iter().find(|folder| has_kernels(folder))
}

/// Lists the folders to search: next to the binary and its parent folder (for test binaries), and the library folders
/// of installed programs (`Frameworks` on macOS).
fn candidate_folders() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    if let Ok(binary) = std::env::current_exe() {
        let mut folder = binary.parent();
        for _ in 0..2 {
            if let Some(f) = folder {
                folders.extend([f.to_owned(), f.join("lib"), f.join("lib/vitrine"), f.join("Frameworks")]);
                folder = f.parent();
            }
        }
    }
    folders
}

fn has_kernels(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|files| {
        files.flatten().any(|file| {
            let name = file.file_name();
            let name = name.to_string_lossy();
            name.starts_with("libggml-cpu") || name.starts_with("ggml-cpu")
        })
    })
}

static LAST_ERRORS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Forwards llama.cpp's messages to standard error and records its first errors.
pub(crate) fn keep_last_error() {
    // SAFETY: the callback is a plain function without data.
    unsafe { llama_cpp_sys_2::llama_log_set(Some(log), std::ptr::null_mut()) }
}

/// Returns the recorded error messages of llama.cpp, joined in one line.
pub(crate) fn last_error() -> Option<String> {
    let errors = LAST_ERRORS.lock().ok()?;
    (!errors.is_empty()).then(|| errors.join("; "))
}

unsafe extern "C" fn log(level: llama_cpp_sys_2::ggml_log_level, text: *const c_char, _: *mut c_void) {
    if text.is_null() {
        return;
    }
    if level == llama_cpp_sys_2::GGML_LOG_LEVEL_DEBUG {
        return;
    }
    // SAFETY: llama.cpp passes a zero-terminated text that lives during the call.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    let _ = std::io::stderr().write_all(text.as_bytes());
    if level == llama_cpp_sys_2::GGML_LOG_LEVEL_ERROR
        && let Ok(mut errors) = LAST_ERRORS.lock()
    {
        let text = text.trim();
        if errors.len() < 4 && !text.is_empty() {
            errors.push(text.to_owned());
        }
    }
}
