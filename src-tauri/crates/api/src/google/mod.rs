//! Signing in to Google: what its own programs left on this computer, and a person in the browser.

mod browser;
mod files;
mod logins;
mod sign_in;

pub use browser::open_page;
pub(crate) use logins::GoogleLogins;
