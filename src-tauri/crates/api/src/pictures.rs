//! Charts as files. The page draws them; the user chooses the path in a dialog that Rust opens.

use crate::app::App;
use crate::state::work::run_blocking;
use crate::types::Picture;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

/// Maximum size of a picture in bytes.
const MOST_BYTES: usize = 32 << 20;
const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

impl App {
    /// Writes a chart atomically to the file that the user chose; `file` is its token.
    ///
    /// # Errors
    /// When the picture is not valid, or the file cannot be written.
    pub async fn write_picture(&self, file: String, picture: Picture) -> Result<(), AppError> {
        let bytes = bytes_of(picture)?;
        let path = self.take_chosen_file(&file)?;
        let dest = path.clone();
        run_blocking(move || {
            vitrine_warehouse::write_file(&path, &bytes).map_err(|error| {
                AppError::new(ErrorCode::Usage, tr!("{path} cannot be written", path = path.display()))
                    .with_hint(tr!("Check that the folder exists and that there is space"))
                    .with_detail(error)
            })
        })
        .await?;
        self.inner.chosen.note_written(&file, dest);
        Ok(())
    }
}

/// Returns the bytes of a picture after validation, so that a page cannot write other files this way.
fn bytes_of(picture: Picture) -> Result<Vec<u8>, AppError> {
    let refused = || {
        AppError::new(ErrorCode::Usage, tr!("This is not an image of a chart")).with_hint(tr!("Export the chart again"))
    };
    let bytes = match picture {
        Picture::Svg(text) if text.starts_with("<svg ") && text.trim_end().ends_with("</svg>") => text.into_bytes(),
        Picture::Svg(_) => return Err(refused()),
        Picture::Png(text) => BASE64_STANDARD.decode(text).map_err(|_| refused())?,
    };
    let is_png = bytes.starts_with(PNG_SIGNATURE);
    match bytes.len() <= MOST_BYTES && (is_png || bytes.starts_with(b"<svg ")) {
        true => Ok(bytes),
        false => Err(refused()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_writes_pictures_and_nothing_else() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>";
        assert_eq!(bytes_of(Picture::Svg(svg.to_owned())).unwrap(), svg.as_bytes());
        let png = BASE64_STANDARD.encode(b"\x89PNG\r\n\x1a\nrest");
        assert_eq!(bytes_of(Picture::Png(png)).unwrap(), b"\x89PNG\r\n\x1a\nrest");
        for no in [
            Picture::Svg("#!/bin/sh".to_owned()),
            Picture::Svg("<svg >".to_owned()),
            Picture::Png(BASE64_STANDARD.encode("#!/bin/sh")),
            Picture::Png("not base64".to_owned()),
        ] {
            bytes_of(no).unwrap_err();
        }
    }
}
