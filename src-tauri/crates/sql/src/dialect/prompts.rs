//! Names, hints and reference pages for prompts.

/// Names, hints and reference pages for prompts. Every dialect has its own texts.
pub trait Prompts: Sync {
    /// Returns the name of the dialect in prompts.
    fn display_name(&self) -> &'static str;

    /// Returns short facts for prompts about the dialect, one sentence each.
    fn prompt_hints(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns a reference of the dialect for models that deliberate, one fact per line.
    fn reference_page(&self) -> &'static str;

    /// Returns facts about reading and comparing dates and times, one per line, for schemas with such columns.
    fn date_page(&self) -> &'static str;

    /// Returns the last line of the date page, about the current time, for schemas that contain only years.
    fn clock_line(&self) -> &'static str {
        self.date_page().trim_end().lines().next_back().unwrap_or_default()
    }

    /// Returns facts about comparing and searching texts, one per line, for schemas with text columns.
    fn text_page(&self) -> &'static str;

    /// Returns facts about reading lists, structs and JSON (ReFoRCE, appendix C), one per line, for queries with such
    /// columns. A text in braces is a placeholder for a name of the schema.
    fn nested_page(&self) -> &'static str;

    /// Returns true if the examples on the nested page read a list type instead of JSON.
    fn nested_page_has_lists(&self) -> bool {
        false
    }
}
