//! Extracts the texts from the sources: arguments of `tr!`, `plural!` and `later!`, also within other macros.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::path::{Path, PathBuf};

/// A text of the sources.
#[derive(Debug, Clone)]
pub struct Text {
    pub context: Option<String>,
    pub text: String,
    /// The plural form of a countable text.
    pub many: Option<String>,
    /// The names of the values that are passed.
    pub values: Vec<String>,
    pub file: String,
    /// The index of the text within its file.
    pub place: usize,
}

/// Returns all texts of the program, except those in tests.
pub fn texts() -> Vec<Text> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the folder of the program");
    let mut files = Vec::new();
    rust_files(&root, &mut files);
    files.sort();
    assert!(files.len() > 100, "the sources of all crates are read");
    let mut found = Vec::new();
    for file in files {
        let source = std::fs::read_to_string(&file).expect("a source");
        if !["tr!", "plural!", "later!"].iter().any(|name| source.contains(name)) {
            continue;
        }
        let name = file.strip_prefix(&root).expect("below the root").display().to_string().replace('\\', "/");
        let tokens: TokenStream = source.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
        let before = found.len();
        read(tokens, &name, &mut found);
        found[before..].iter_mut().enumerate().for_each(|(place, text)| text.place = place);
    }
    found
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").filter_map(Result::ok) {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        // The macros themselves are defined in `words`.
        let is_source =
            !matches!(&*name, "tests" | "tests.rs" | "benches" | "target" | "gen") && !name.starts_with('.');
        if path.is_dir() && is_source {
            rust_files(&path, found);
        } else if is_source
            && path.extension().is_some_and(|extension| extension == "rs")
            && !path.ends_with("words/src/lib.rs")
        {
            found.push(path);
        }
    }
}

fn read(tokens: TokenStream, file: &str, found: &mut Vec<Text>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        if let [TokenTree::Ident(name), TokenTree::Punct(mark), TokenTree::Group(given), ..] = &tokens[at..]
            && mark.as_char() == '!'
            && ["tr", "plural", "later"].iter().any(|known| name == known)
        {
            found.push(text(&name.to_string(), given.stream(), file));
        }
        // Modules of the form `#[cfg(test)] mod tests { ... }` are skipped.
        if let Some(TokenTree::Group(group)) = tokens.get(at)
            && !(is_block(&tokens[at]) && at > 0 && is_tests(&tokens[..at]))
        {
            read(group.stream(), file, found);
        }
        at += 1;
    }
}

fn is_block(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// Checks if the tokens before a block make it a module of tests.
fn is_tests(before: &[TokenTree]) -> bool {
    matches!(before, [.., TokenTree::Ident(kind), TokenTree::Ident(name)] if kind == "mod" && (name == "tests"))
}

fn text(macro_name: &str, given: TokenStream, file: &str) -> Text {
    let mut parts: Vec<Vec<TokenTree>> = vec![Vec::new()];
    for token in given {
        match &token {
            TokenTree::Punct(mark) if mark.as_char() == ',' => parts.push(Vec::new()),
            _ => parts.last_mut().expect("there is a part").push(token),
        }
    }
    parts.retain(|part| !part.is_empty());
    let literal = |part: &[TokenTree]| -> String {
        let tokens: TokenStream = part.iter().cloned().collect();
        let said = tokens.to_string();
        syn::parse2::<syn::LitStr>(tokens).unwrap_or_else(|_| panic!("{file}: {said} is no text")).value()
    };
    let mut parts = parts.into_iter();
    let mut next = || parts.next().unwrap_or_else(|| panic!("{file}: {macro_name}! lacks a text"));
    let mut first = next();
    let mut context = None;
    if matches!(first.first(), Some(TokenTree::Ident(word)) if word == "context") {
        context = Some(literal(&first[1..]));
        first = next();
    }
    let (text, many) = match macro_name {
        // The number is the first argument.
        "plural" => (literal(&next()), Some(literal(&next()))),
        _ => (literal(&first), None),
    };
    let values = parts.map(|part| part[0].to_string()).collect();
    Text { context, text, many, values, file: file.to_owned(), place: 0 }
}
