//! Chooses processor kernels that work. llama.cpp only checks the features that the processor reports, but kernels can
//! still fail: a hypervisor or the system may block a feature, and Debian 12's GCC (12.2) drops half of the tile set-up
//! that AMX kernels need. So the best kernels must pass a trial first.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int};
use std::path::{Path, PathBuf};

use crate::worker::library::{c_path, load_library};
use crate::worker::trial;

/// A library of kernels with llama.cpp's score for this processor.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Kernels {
    library: PathBuf,
    score: i32,
}

/// Loads the best kernels of the folder that pass the trial, unless llama.cpp would choose them anyway. `false` leaves
/// the choice to llama.cpp, also if no kernels pass, because then the trial itself is doubtful.
pub(crate) fn load_instead(folder: &Path) -> bool {
    let ranked = rank_kernels(folder);
    let Some(at) = first_to_pass(&ranked, trial::passes_trial).filter(|at| *at > 0) else { return false };
    let names: Vec<_> = ranked.iter().map(|k| k.library.file_name().unwrap_or_default().to_string_lossy()).collect();
    eprintln!("model worker: {} failed a trial on this computer; {} is used", names[..at].join(", "), names[at]);
    load_library(&ranked[at].library).is_some()
}

/// Returns the first kernels that pass. Stops there, because each trial costs a process.
fn first_to_pass(ranked: &[Kernels], mut passes: impl FnMut(&Path) -> bool) -> Option<usize> {
    ranked.iter().position(|kernels| passes(&kernels.library))
}

/// Returns the folder's kernels that suit this processor, best first.
fn rank_kernels(folder: &Path) -> Vec<Kernels> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path());
    by_score(files.filter(|file| is_kernels(file)).map(|library| Kernels { score: score_library(&library), library }))
}

fn by_score(found: impl Iterator<Item = Kernels>) -> Vec<Kernels> {
    let mut ranked: Vec<Kernels> = found.filter(|kernels| kernels.score > 0).collect();
    ranked.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.library.cmp(&b.library)));
    ranked
}

/// Matches the names that llama.cpp looks for: one library per processor generation, or the one of a local build.
fn is_kernels(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name == "libggml-cpu.so" || (name.starts_with("libggml-cpu-") && name.ends_with(".so"))
}

/// Returns the library's score for this processor; 0 if it is unsuitable.
fn score_library(library: &Path) -> i32 {
    let Some(name) = c_path(library) else { return 0 };
    // SAFETY: these are llama.cpp's own libraries, which it opens and asks in just this way.
    unsafe {
        let handle = libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        if handle.is_null() {
            return 0;
        }
        let symbol = libc::dlsym(handle, c"ggml_backend_score".as_ptr().cast::<c_char>());
        let score = if symbol.is_null() {
            0
        } else {
            std::mem::transmute::<*mut libc::c_void, unsafe extern "C" fn() -> c_int>(symbol)()
        };
        libc::dlclose(handle);
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build_kernels(scores: &[(&str, i32)]) -> Vec<Kernels> {
        by_score(scores.iter().map(|(name, score)| Kernels { library: PathBuf::from(name), score: *score }))
    }

    /// Returns the kernels of a processor that reports everything up to AMX.
    fn claims_amx() -> Vec<Kernels> {
        build_kernels(&[
            ("libggml-cpu-x64.so", 1),
            ("libggml-cpu-alderlake.so", 128),
            ("libggml-cpu-sapphirerapids.so", 3968),
            ("libggml-cpu-zen4.so", 1920),
            ("libggml-cpu-graniterapids.so", 8064),
        ])
    }

    fn choose_library(ranked: &[Kernels], passes: impl FnMut(&Path) -> bool) -> Option<&str> {
        first_to_pass(ranked, passes).and_then(|at| ranked[at].library.to_str())
    }

    #[test]
    fn kernels_whose_tiles_do_not_work_are_passed_over_for_the_next_best() {
        let tiles_fail = |library: &Path| !library.to_string_lossy().contains("rapids");
        assert_eq!(choose_library(&claims_amx(), tiles_fail), Some("libggml-cpu-zen4.so"));
    }

    #[test]
    fn the_best_kernels_are_taken_after_one_trial_when_they_work() {
        let mut trials = 0;
        let works = |_: &Path| {
            trials += 1;
            true
        };
        assert_eq!(choose_library(&claims_amx(), works), Some("libggml-cpu-graniterapids.so"));
        assert_eq!(trials, 1);
    }

    #[test]
    fn what_the_processor_does_not_claim_is_never_tried() {
        let old = build_kernels(&[("libggml-cpu-haswell.so", 64), ("libggml-cpu-zen4.so", 0)]);
        let never_zen = |library: &Path| {
            assert!(!library.ends_with("libggml-cpu-zen4.so"));
            false
        };
        assert_eq!(choose_library(&old, never_zen), None, "and when nothing passes, nothing is chosen here");
    }

    #[test]
    fn only_processor_kernels_are_ranked() {
        assert!(is_kernels(Path::new("/lib/libggml-cpu-zen4.so")));
        assert!(is_kernels(Path::new("/lib/libggml-cpu.so")));
        for other in ["libggml-base.so", "libggml-vulkan.so", "libggml-cpu-zen4.txt"] {
            assert!(!is_kernels(Path::new(other)), "{other}");
        }
    }

    #[test]
    fn the_kernels_of_this_build_have_one_that_computes_correctly_here() {
        let folder = crate::worker::backends::kernels_folder().expect("the build places kernels beside the tests");
        let ranked = rank_kernels(&folder);
        assert!(!ranked.is_empty(), "no kernels suit this processor in {}", folder.display());
        assert!(first_to_pass(&ranked, trial::passes_trial).is_some(), "{ranked:?}");
    }
}
