//! A user timer of systemd.

use super::entry::{MINUTES, Program, SchedulerEntry, SchedulerFile, to_command};
use std::path::Path;

const NAME: &str = "vitrine-watches";

/// Builds the service and its timer in the user's configuration folder.
pub(super) fn build_entry(program: &Program, config: &Path) -> SchedulerEntry {
    let folder = config.join("systemd").join("user");
    let file = |extension: &str, content: String| SchedulerFile {
        path: folder.join(format!("{NAME}.{extension}")).display().to_string(),
        content,
    };
    let environment: String = program
        .variables
        .iter()
        .map(|(name, value)| format!("Environment={}\n", quote(&format!("{name}={value}"))))
        .collect();
    let service = format!(
        "[Unit]\nDescription=Watched answers of Vitrine\n\n[Service]\nType=oneshot\nNice=10\n{environment}ExecStart={} {}\n",
        quote_program(&program.path),
        Program::ARGUMENTS.join(" ")
    );
    let timer = format!(
        "[Unit]\nDescription=Watched answers of Vitrine\n\n[Timer]\nOnCalendar=*:0/{MINUTES}\nAccuracySec=30s\n\
         Persistent=true\nUnit={NAME}.service\n\n[Install]\nWantedBy=timers.target\n"
    );
    let unit = format!("{NAME}.timer");
    SchedulerEntry {
        files: vec![file("service", service), file("timer", timer)],
        activate: vec![
            to_command(&["systemctl", "--user", "daemon-reload"]),
            to_command(&["systemctl", "--user", "enable", "--now", &unit]),
        ],
        deactivate: vec![to_command(&["systemctl", "--user", "disable", "--now", &unit])],
    }
}

/// Quotes the path of a program. systemd rejects quotes and backslashes in it, but not in arguments, where `$` starts a variable.
fn quote_program(path: &str) -> String {
    match path.contains(['"', '\'', '\\']) {
        true => format!("/usr/bin/env {}", quote(path).replace('$', "$$")),
        false => quote(path),
    }
}

/// Quotes a word of a unit file. `%` starts a specifier there.
fn quote(word: &str) -> String {
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%"))
}
