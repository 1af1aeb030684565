//! A task of the Task Scheduler. It runs with the variables of the user's account.

use super::entry::{MINUTES, Program, SchedulerEntry, SchedulerFile, escape_xml, to_command};
use std::path::Path;

const NAME: &str = "Vitrine watched answers";

/// Builds the description of the task, which is kept in the data folder.
pub(super) fn build_entry(program: &Program, data: &Path) -> SchedulerEntry {
    let path = data.join("watches.xml").display().to_string();
    let content = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n\
         <Task version=\"1.2\" xmlns=\"http://schemas.microsoft.com/windows/2004/02/mit/task\">\n  <RegistrationInfo>\n    \
         <Description>Watched answers of Vitrine</Description>\n  </RegistrationInfo>\n  <Triggers>\n    <TimeTrigger>\n      \
         <Repetition>\n        <Interval>PT{MINUTES}M</Interval>\n      </Repetition>\n      \
         <StartBoundary>2020-01-01T00:00:00</StartBoundary>\n      <Enabled>true</Enabled>\n    </TimeTrigger>\n  </Triggers>\n  \
         <Settings>\n    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>\n    \
         <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>\n    <StartWhenAvailable>true</StartWhenAvailable>\n  \
         </Settings>\n  <Actions>\n    <Exec>\n      <Command>{}</Command>\n      <Arguments>{}</Arguments>\n    </Exec>\n  \
         </Actions>\n</Task>\n",
        escape_xml(&program.path),
        Program::ARGUMENTS.join(" ")
    );
    SchedulerEntry {
        activate: vec![to_command(&["schtasks", "/Create", "/TN", NAME, "/XML", &path, "/F"])],
        deactivate: vec![to_command(&["schtasks", "/Delete", "/TN", NAME, "/F"])],
        files: vec![SchedulerFile { path, content }],
    }
}

/// Encodes the description as the Task Scheduler reads it: UTF-16 with a byte order mark.
pub(super) fn encode(content: &str) -> Vec<u8> {
    std::iter::once(0xfeff).chain(content.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}
