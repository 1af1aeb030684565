use super::entry::to_command;
use super::*;
use quick_xml::Reader;
use quick_xml::events::Event;

/// A path with every character that one of the formats treats specially.
const PATH: &str = "/opt/My \"Vitrine\" & <Söhne> 100% $HOME\\x/vitrine";

fn program(path: &str) -> Program {
    let variables = vec![("VITRINE_HOME", "/data/50% \"off\"".to_owned())];
    Program::new(Path::new(path), variables).unwrap()
}

/// Returns the texts of a well-formed XML document.
fn texts(xml: &str) -> Vec<String> {
    let mut reader = Reader::from_str(xml);
    let mut texts = vec![String::new()];
    loop {
        match reader.read_event().expect(xml) {
            Event::Eof => return texts.into_iter().filter(|text| !text.trim().is_empty()).collect(),
            Event::Text(text) => *texts.last_mut().unwrap() += &text,
            Event::GeneralRef(name) => {
                let letter = quick_xml::escape::resolve_predefined_entity(&name).expect("a predefined entity");
                *texts.last_mut().unwrap() += letter;
            }
            _ => texts.push(String::new()),
        }
    }
}

#[test]
fn xml_entries_are_well_formed_and_keep_the_path() {
    for entry in [
        launchd::build_entry(&program(PATH), Path::new("/home/ann")),
        task_scheduler::build_entry(&program(PATH), Path::new("/home/ann/data")),
    ] {
        let [file] = &entry.files[..] else { panic!("one file") };
        assert!(texts(&file.content).iter().any(|text| text == PATH), "{}", file.content);
    }
    let launchd = launchd::build_entry(&program(PATH), Path::new("/home/ann"));
    assert!(texts(&launchd.files[0].content).iter().any(|text| text == "/data/50% \"off\""));
    assert_eq!(task_scheduler::encode("a"), [0xff, 0xfe, b'a', 0]);
}

#[test]
fn systemd_accepts_the_timer_and_its_service() {
    if Command::new("systemd-analyze").arg("--version").output().is_err() {
        eprintln!("skipped: systemd-analyze is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // systemd checks that the program exists.
    let path = folder.path().join("My \"Vitrine\" 100% $HOME");
    std::fs::create_dir(&path).unwrap();
    let path = path.join("vitrine");
    std::fs::copy("/bin/true", &path).unwrap();
    let entry = systemd::build_entry(&program(path.to_str().unwrap()), folder.path());
    entry.files.iter().for_each(|file| write_scheduler_file(file).unwrap());
    let files = entry.files.iter().map(|file| &file.path);
    let checked = Command::new("systemd-analyze").args(["verify", "--user"]).args(files).output().unwrap();
    let told = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success() && !told.contains("vitrine-watches"), "{told}");
    assert!(
        entry.files[0].content.contains("ExecStart=/usr/bin/env \"/")
            && entry.files[0].content.contains("100%% $$HOME"),
        "{}",
        entry.files[0].content
    );
    assert!(
        entry.files[0].content.contains(r#"Environment="VITRINE_HOME=/data/50%% \"off\"""#),
        "{}",
        entry.files[0].content
    );
}

#[test]
fn a_path_that_would_add_lines_to_a_file_is_refused() {
    assert!(Program::new(Path::new("/opt/a\nExecStart=/bin/sh"), Vec::new()).is_err());
    let variables = vec![("VITRINE_HOME", "/a\n[Install]".to_owned())];
    assert!(Program::new(Path::new("/opt/vitrine"), variables).is_err());
}

#[test]
fn an_entry_holds_the_folders_of_this_program() {
    let folders = Folders { data: "/own/data".into(), cache: "/own/cache".into() };
    let program = Program::with_folders(Path::new("/opt/vitrine"), &folders).unwrap();
    for entry in
        [systemd::build_entry(&program, Path::new("/config")), launchd::build_entry(&program, Path::new("/home/ann"))]
    {
        let content = &entry.files[0].content;
        for part in ["VITRINE_HOME", "/own/data", "VITRINE_CACHE", "/own/cache"] {
            assert!(content.contains(part), "{part} is missing in\n{content}");
        }
    }
    let home = Path::new("/home/ann");
    assert_eq!(check_usual_folders(&folders, home).unwrap_err().code, ErrorCode::Usage);
    assert!(check_usual_folders(&Folders::in_home(home), home).is_ok());
}

#[test]
fn an_entry_that_the_scheduler_refuses_leaves_the_earlier_files() {
    let folder = tempfile::tempdir().unwrap();
    let file =
        |name: &str| SchedulerFile { path: folder.path().join(name).display().to_string(), content: "new".to_owned() };
    std::fs::write(folder.path().join("old"), "old").unwrap();
    let entry = SchedulerEntry {
        files: vec![file("old"), file("new")],
        activate: vec![to_command(&["/nonexistent/scheduler"])],
        deactivate: Vec::new(),
    };
    let error = install_entry(&entry).unwrap_err();
    assert!(error.message.contains("/nonexistent/scheduler"), "{}", error.message);
    assert_eq!(std::fs::read_to_string(folder.path().join("old")).unwrap(), "old");
    assert!(!folder.path().join("new").exists());
}
