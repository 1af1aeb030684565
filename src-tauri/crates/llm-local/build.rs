//! Copies llama.cpp's shared libraries next to the binaries, where their run path and the worker look for them.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    // Set by llama-cpp-sys-2 for crates that depend on it directly.
    println!("cargo:rerun-if-env-changed=DEP_LLAMA_BACKENDS_DIR");
    let Some(backends) = env::var_os("DEP_LLAMA_BACKENDS_DIR").map(PathBuf::from) else { return Ok(()) };
    let Some(out) = env::var_os("OUT_DIR").map(PathBuf::from) else { return Ok(()) };
    // OUT_DIR is <target>/<profile>/build/<package>/out.
    let Some(binaries) = out.ancestors().nth(3) else { return Ok(()) };
    let Some(built) = backends.parent() else { return Ok(()) };
    for folder in [backends.clone(), built.join("lib"), built.join("bin")] {
        for file in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = file.file_name().to_string_lossy().into_owned();
            if is_wanted(&name) {
                link_or_copy(&file.path(), &binaries.join(&name))?;
            }
        }
    }
    Ok(())
}

/// Matches kernel libraries (`libggml-cpu.so`, or one per processor: `libggml-cpu-zen4.so`) and the names that binaries
/// link to: `libllama.so.0`, `libllama.0.dylib`, `llama.dll`.
fn is_wanted(name: &str) -> bool {
    let kernel = name == "libggml-cpu.so" || name.starts_with("libggml-cpu-") || name.starts_with("ggml-cpu-");
    let library = name.starts_with("libggml") || name.starts_with("libllama.");
    let versioned = name.split_once(".so.").is_some_and(|(_, v)| !v.contains('.'))
        || (name.ends_with(".dylib") && name.matches('.').count() == 2);
    kernel || (library && versioned) || ((name.starts_with("ggml") || name == "llama.dll") && name.ends_with(".dll"))
}

fn link_or_copy(from: &Path, to: &Path) -> io::Result<()> {
    let from = fs::canonicalize(from)?;
    let same =
        fs::metadata(to).is_ok_and(|t| fs::metadata(&from).is_ok_and(|f| f.len() == t.len() && is_newer(&t, &f)));
    if same {
        return Ok(());
    }
    let _ = fs::remove_file(to);
    // A hard link saves 30 MB; across file systems the file is copied.
    fs::hard_link(&from, to).or_else(|_| fs::copy(&from, to).map(drop))
}

fn is_newer(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    matches!((a.modified(), b.modified()), (Ok(a), Ok(b)) if a >= b)
}
