//! A small file system of a test's own. Tests of other crates take this file in, too.

/// Runs an ignored test of this program on a disk of its own, whose place it finds in a variable.
///
/// # Panics
/// When it fails, or does not say `told`.
pub(crate) fn on_a_disk_of(size: &str, test: &str, variable: &str, told: &str) {
    let place = tempfile::tempdir().unwrap();
    let mounted = format!("mount -t tmpfs -o size={size} none \"$1\"");
    let script = format!("{mounted} && exec \"$2\" --exact {test} --ignored --nocapture");
    let done = std::process::Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", &script, "sh"])
        .arg(place.path())
        .arg(std::env::current_exe().unwrap())
        .env(variable, place.path())
        .output()
        .unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success() && said.contains(told), "{said}");
}
