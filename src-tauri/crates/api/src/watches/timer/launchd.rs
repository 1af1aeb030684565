//! An agent of launchd.

use super::entry::{MINUTES, Program, SchedulerEntry, SchedulerFile, escape_xml, to_command};
use std::path::Path;

const LABEL: &str = "app.vitrine.watches";

/// Builds the property list of the agent in the user's library.
pub(super) fn build_entry(program: &Program, home: &Path) -> SchedulerEntry {
    let path = home.join("Library").join("LaunchAgents").join(format!("{LABEL}.plist")).display().to_string();
    let words = [program.path.as_str()].into_iter().chain(Program::ARGUMENTS);
    let arguments: String = words.map(|word| format!("    <string>{}</string>\n", escape_xml(word))).collect();
    let variables: String = program
        .variables
        .iter()
        .map(|(name, value)| format!("    <key>{name}</key>\n    <string>{}</string>\n", escape_xml(value)))
        .collect();
    let environment = match variables.is_empty() {
        true => String::new(),
        false => format!("  <key>EnvironmentVariables</key>\n  <dict>\n{variables}  </dict>\n"),
    };
    let seconds = MINUTES * 60;
    let content = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
         <plist version=\"1.0\">\n<dict>\n  <key>Label</key>\n  <string>{LABEL}</string>\n  <key>ProgramArguments</key>\n  \
         <array>\n{arguments}  </array>\n{environment}  <key>StartInterval</key>\n  <integer>{seconds}</integer>\n  \
         <key>RunAtLoad</key>\n  <true/>\n  <key>ProcessType</key>\n  <string>Background</string>\n</dict>\n</plist>\n"
    );
    SchedulerEntry {
        activate: vec![to_command(&["launchctl", "load", "-w", &path])],
        deactivate: vec![to_command(&["launchctl", "unload", "-w", &path])],
        files: vec![SchedulerFile { path, content }],
    }
}
