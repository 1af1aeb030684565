//! The second isolation layer: only listed files may be opened, regardless of the visible file system.

use std::path::PathBuf;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};

use super::system::landlock_version;

/// Checks that this kernel supports Landlock; fails with a reason for the user.
pub fn check_support() -> Result<(), String> {
    let why = match landlock_version() {
        Ok(_) => return Ok(()),
        Err(error) if error.raw_os_error() == Some(libc::EOPNOTSUPP) => {
            "Landlock is switched off in this kernel".to_owned()
        }
        Err(error) if error.raw_os_error() == Some(libc::ENOSYS) => {
            "this kernel has no Landlock (it came with Linux 5.13)".to_owned()
        }
        Err(error) => format!("Landlock cannot be used: {error}"),
    };
    Err(why)
}

/// Restricts this process: it may read `readable` (files, and folders with their contents), start `program` again, and
/// open nothing else. On newer kernels, additional kinds of access are forbidden too.
pub fn restrict_process(program: &PathBuf, readable: &[PathBuf]) -> Result<(), String> {
    match apply_ruleset(program, readable) {
        Ok(RulesetStatus::NotEnforced) => Err("Landlock did not take effect".to_owned()),
        Ok(_) => Ok(()),
        Err(error) => Err(format!("Landlock: {error}")),
    }
}

fn apply_ruleset(program: &PathBuf, readable: &[PathBuf]) -> Result<RulesetStatus, RulesetError> {
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(ABI::V5))?
        .handle_access(AccessNet::from_all(ABI::V4))?
        .scope(Scope::from_all(ABI::V6))?
        .create()?;
    for path in readable {
        let Ok(open) = PathFd::new(path) else { continue };
        // The dynamic linker is executable too: the kernel starts it for the interpreter.
        let linker = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("ld-"));
        let rights: BitFlags<AccessFs> = match path.is_dir() {
            true => AccessFs::ReadFile | AccessFs::ReadDir,
            false if linker => AccessFs::ReadFile | AccessFs::Execute,
            false => AccessFs::ReadFile.into(),
        };
        ruleset = ruleset.add_rule(PathBeneath::new(open, rights))?;
    }
    if let Ok(open) = PathFd::new(program) {
        ruleset = ruleset.add_rule(PathBeneath::new(open, AccessFs::ReadFile | AccessFs::Execute))?;
    }
    Ok(ruleset.restrict_self()?.ruleset)
}
