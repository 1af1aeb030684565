//! Signing in to Google through the system's browser (OAuth 2 for desktop applications: authorization code, PKCE with S256, a state
//! value, a listener on this computer). Google has no client of Vitrine's own: every company makes one and names it.

mod client;
mod exchange;
mod fault;
mod listener;
mod pages;

pub use client::{GoogleClient, GoogleLogin};
pub use exchange::BrowserSignIn;
pub use fault::SignInFault;
