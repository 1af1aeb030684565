//! Google sign-in: with credentials of Google's own programs on this computer, or by the user in the browser.

mod browser;
mod files;
mod logins;
mod sign_in;

pub use browser::open_page;
pub(crate) use logins::GoogleLogins;
