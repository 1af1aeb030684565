//! Where the set-up has put what tests start.

use std::path::PathBuf;

/// The folder of an emulator, `bigquery` for one: named by its variable, else in the cache; `None` where it is not installed.
pub(crate) fn installed(name: &str) -> Option<PathBuf> {
    let named = std::env::var_os(format!("VITRINE_{}_EMULATOR", name.to_uppercase())).map(PathBuf::from);
    let in_cache = || {
        let cache = std::env::var_os("VITRINE_CACHE").map(PathBuf::from);
        let usual = || {
            let own = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
            let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"));
            Some(own.or_else(home)?.join("vitrine"))
        };
        Some(cache.or_else(usual)?.join(format!("{name}-emulator")))
    };
    named.or_else(in_cache).filter(|path| path.join("installed.txt").exists())
}
