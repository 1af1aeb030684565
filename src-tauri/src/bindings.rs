//! TypeScript bindings of the commands, generated from the Rust types.

use specta::datatype::{DataType, Fields, Primitive};
use specta_typescript::{Error, Typescript};
use specta_util::Remapper;
use std::path::Path;
use tauri_specta::{BuilderConfiguration, LanguageExt};

/// Writes the types, and a client of the commands that works over any host.
pub(crate) fn write_bindings(path: &Path) -> Result<(), Error> {
    crate::commands::builder().export(Whole(Typescript::default()), path)?;
    let exported = std::fs::read_to_string(path)?;
    Ok(std::fs::write(path, convert_to_client(&exported))?)
}

/// Types that are plain text in Rust but distinct in the pages, and the type of the client.
const NAMES: &str = "export type ModelId = string;\n\nexport type NodeId = string;\n\n\
    export type Commands = ReturnType<typeof createCommands>;";

/// Type of the function by which a host sends a command.
const CALL: &str = "/** Sends a command with its arguments and returns its result. */\n\
    export type Call = <T>(command: string, args?: Record<string, unknown>) => Promise<T>;";

/// Description of the client.
const CLIENT: &str =
    "/** The commands over any host; each is documented at the function of `App` with the same name. */";

/// Converts the exported object of commands, which calls Tauri, into a function that takes the call as its parameter.
fn convert_to_client(exported: &str) -> String {
    let client = exported
        .replace("import { invoke as __TAURI_INVOKE } from \"@tauri-apps/api/core\";", CALL)
        .replace(
            "/** Commands */\nexport const commands = {",
            &format!("{CLIENT}\nexport const createCommands = (call: Call) => ({{"),
        )
        .replace("__TAURI_INVOKE<null>", "call<void>")
        .replace("__TAURI_INVOKE", "call");
    // The object of commands is the first item that ends with a brace.
    client.replacen("\n};\n", "\n});\n", 1)
}

/// TypeScript in the form that the pages need. Floats are numbers, because they are never NaN or infinite, which JSON writes as null. Every
/// field is required, because fields that are optional in input are always present in output.
struct Whole(Typescript);

impl LanguageExt for Whole {
    type Error = Error;

    fn export(self, config: &BuilderConfiguration, path: &Path) -> Result<(), Error> {
        let mut numbers = Remapper::new();
        for float in [Primitive::f32, Primitive::f64] {
            numbers = numbers.rule(float.into(), Primitive::u32.into());
        }
        let mut config = config.clone();
        config.types = numbers.remap_types(config.types);
        config.types.iter_mut(|named| {
            if let Some(DataType::Struct(whole)) = &mut named.ty {
                whole.attributes.remove("serde:container:default");
                if let Fields::Named(named) = &mut whole.fields {
                    named.fields.iter_mut().for_each(|(_, field)| {
                        field.attributes.remove("serde:field:default");
                    });
                }
            }
        });
        for command in &mut config.commands {
            for (_, kind) in &mut command.args {
                *kind = numbers.remap_dt(kind.clone());
            }
            command.result = command.result.take().map(|kind| numbers.remap_dt(kind));
        }
        self.0.with_raw(NAMES).export(&config, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_bindings_are_current() {
        let folder = tempfile::tempdir().unwrap();
        let fresh = folder.path().join("bindings.ts");
        write_bindings(&fresh).unwrap();
        let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/src/host/bindings.ts");
        let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            read(&fresh) == read(&committed),
            "ui/src/host/bindings.ts is out of date; write it anew: vitrine-desktop --write-bindings ui/src/host/bindings.ts"
        );
    }
}
