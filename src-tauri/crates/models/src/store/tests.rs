use super::*;
use crate::gguf::tests::small_gguf;

struct TestStore {
    _dir: tempfile::TempDir,
    file: PathBuf,
    store: ModelStore,
}

fn create_test_store() -> TestStore {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("My Model (v2).gguf");
    fs::write(&file, small_gguf(64)).unwrap();
    TestStore { store: ModelStore::new(dir.path().join("models")), file, _dir: dir }
}

#[test]
fn nothing_is_present_in_a_new_store() {
    let place = create_test_store();
    let listed = place.store.list_models();
    assert!(listed.len() >= 3 && listed.iter().all(|m| !m.present && !m.added));
    assert!(!place.store.is_present("qwen2.5-coder-1.5b"));
    assert!(
        place
            .store
            .model_path("qwen2.5-coder-1.5b")
            .unwrap()
            .ends_with("models/qwen2.5-coder-1.5b/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf")
    );
}

#[test]
fn an_unknown_model_names_the_known_ones() {
    let error = create_test_store().store.model_path("gpt-9").unwrap_err().to_string();
    assert!(error.contains("gpt-9") && error.contains("qwen2.5-coder-0.5b"), "{error}");
}

#[test]
fn any_gguf_of_this_machine_can_be_added_and_removed_again() {
    let place = create_test_store();
    let entry = place.store.add_gguf(&place.file).unwrap();
    assert_eq!((entry.id.as_str(), entry.title.as_str()), ("my-model--v2", "A Toy"));
    assert!(place.store.is_present(&entry.id));
    assert_eq!(place.store.model_path(&entry.id).unwrap(), fs::canonicalize(&place.file).unwrap());
    let again = place.store.add_gguf(&place.file).unwrap();
    assert_eq!(again.id, entry.id, "adding the same file twice is one model");
    assert_eq!(place.store.list_models().iter().filter(|m| m.added).count(), 1);

    place.store.remove_model(&entry.id).unwrap();
    assert!(!place.store.is_present(&entry.id));
    assert!(place.file.exists(), "the person's own file stays");
}

#[test]
fn an_added_model_never_takes_the_name_of_another() {
    let place = create_test_store();
    let file = place.file.with_file_name("qwen2.5-coder-1.5b.gguf");
    fs::copy(&place.file, &file).unwrap();
    assert_eq!(place.store.add_gguf(&file).unwrap().id, "qwen2.5-coder-1.5b-2");
}

#[test]
fn what_is_no_gguf_is_refused_with_a_reason() {
    let place = create_test_store();
    fs::write(&place.file, "<html>").unwrap();
    let error = place.store.add_gguf(&place.file).unwrap_err().to_string();
    assert!(error.contains("not a GGUF"), "{error}");
    let error = place.store.add_gguf(Path::new("/no/such/file.gguf")).unwrap_err().to_string();
    assert!(error.contains("/no/such/file.gguf"), "{error}");
}

#[test]
fn a_file_of_the_wrong_size_is_not_a_model() {
    let place = create_test_store();
    let path = place.store.model_path("qwen2.5-coder-0.5b").unwrap();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "half").unwrap();
    assert!(!place.store.is_present("qwen2.5-coder-0.5b"));
    place.store.remove_model("qwen2.5-coder-0.5b").unwrap();
    assert!(!path.exists());
    place.store.remove_model("qwen2.5-coder-0.5b").unwrap();
}

#[test]
fn an_entry_that_names_another_folder_removes_none() {
    let place = create_test_store();
    let entry = place.store.add_gguf(&place.file).unwrap();
    let file = place.store.folder().join(&entry.id).join(ENTRY_FILE);
    let text = fs::read_to_string(&file).unwrap();
    let outside = place.store.folder().with_file_name("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::write(&file, text.replace(&format!("\"{}\"", entry.id), "\"../outside\"")).unwrap();
    assert!(place.store.list_models().iter().all(|model| !model.added));
    assert!(place.store.remove_model("../outside").is_err() && outside.is_dir());
}
