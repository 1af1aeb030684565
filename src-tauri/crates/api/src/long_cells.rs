//! Cells that are too long to be shown or stored completely.

use vitrine_domain::{EventBody, Page};

/// Number of characters of a cell that are shown; an export contains all.
pub(crate) const SHOWN: usize = 65_536;

/// Returns a cell; of a very long one its beginning with a note about the missing length.
pub(crate) fn shorten_cell(cell: String) -> String {
    match cell.char_indices().nth(SHOWN) {
        Some((end, _)) => {
            let more = cell[end..].chars().count();
            format!("{}… (+{more})", &cell[..end])
        }
        None => cell,
    }
}

/// Shortens the cells of an answer in an event, because the log keeps the event and sends it to every listener.
pub(crate) fn shorten_event(body: &mut EventBody) {
    if let EventBody::ResultReady { page, .. } | EventBody::BestSoFar { page, .. } = body {
        shorten_page(page);
    }
}

fn shorten_page(page: &mut Page) {
    for cell in page.rows.iter_mut().flatten().flatten().filter(|cell| cell.len() > SHOWN) {
        *cell = shorten_cell(std::mem::take(cell));
    }
}
