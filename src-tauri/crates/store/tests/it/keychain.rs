//! The system's keychain. The first test needs a real one and runs if the test script started one (it then sets
//! `VITRINE_TEST_KEYCHAIN=1`); the second needs none.

use vitrine_domain::AppError;
use vitrine_store::secrets::{Keychain, SecretStore};

#[test]
fn a_key_in_the_real_keychain_is_kept_replaced_and_forgotten() {
    if std::env::var_os("VITRINE_TEST_KEYCHAIN").is_none() {
        eprintln!("skipped: no keychain was started for this test");
        return;
    }
    Keychain.check_available().unwrap();
    let name = format!("test:{}", std::process::id());
    assert_eq!(Keychain.get(&name).unwrap(), None);
    Keychain.set(&name, "first").unwrap();
    Keychain.set(&name, "sk-zweiter-schlüssel").unwrap();
    assert_eq!(Keychain.get(&name).unwrap().as_deref(), Some("sk-zweiter-schlüssel"));
    assert_eq!(Keychain.get(&format!("{name}:other")).unwrap(), None);
    Keychain.delete(&name).unwrap();
    Keychain.delete(&name).unwrap();
    assert_eq!(Keychain.get(&name).unwrap(), None);
}

/// Reads a key and prints the message for the user; not a test.
#[test]
#[ignore = "started by the test below"]
fn the_program_without_a_keychain() {
    let error = Keychain.get("anything").unwrap_err();
    assert_eq!(Keychain.check_available().unwrap_err(), error);
    println!("\nsaid {}", AppError::from(error).to_string().replace('\n', " "));
}

#[test]
#[cfg(target_os = "linux")]
fn a_machine_without_a_keychain_says_what_to_install() {
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "keychain::the_program_without_a_keychain", "--ignored", "--nocapture"])
        .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
        .env_remove("XDG_RUNTIME_DIR")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("said No keychain is available") && text.contains("gnome-keyring"), "{text}");
}
