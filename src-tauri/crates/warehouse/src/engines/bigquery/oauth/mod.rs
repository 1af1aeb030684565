//! Signing in to Google through the system's browser (OAuth 2 for desktop applications: authorization code, PKCE with
//! S256, a state value, a listener on this computer). Vitrine has no OAuth client of its own: every company creates one
//! and names it in the address.

mod client;
mod exchange;
mod fault;
mod listener;
mod pages;

pub use client::{GoogleClient, GoogleLogin};
pub use exchange::BrowserSignIn;
pub use fault::SignInFault;
