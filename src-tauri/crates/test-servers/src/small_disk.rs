//! A small file system for a test.

/// Runs an ignored test of this program on a small disk, whose path is in the environment variable `variable`.
///
/// # Panics
/// If it fails, or its output does not contain the expected text.
pub fn on_a_disk_of(size: &str, test: &str, variable: &str, told: &str) {
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
