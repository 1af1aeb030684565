//! The scopes for which tokens are requested.

use super::address::ProjectAddress;

/// The purpose of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Reading: catalogs, queries, results. Google rejects any request with this token that changes something.
    Read,
    /// Operations that Google does not permit with the read-only token: cancelling a job, and a dry run as a job. Used
    /// for nothing else.
    Jobs,
    /// Only requesting the token of a service account.
    Lend,
}

impl Access {
    /// Returns Google's name of the scope.
    pub fn oauth_scope(self) -> &'static str {
        match self {
            Self::Read => "https://www.googleapis.com/auth/cloud-platform.read-only",
            Self::Jobs => "https://www.googleapis.com/auth/bigquery",
            Self::Lend => "https://www.googleapis.com/auth/iam",
        }
    }

    /// Returns the scopes that a user is asked to grant for an address: only the ones that its tokens use.
    pub fn granted_for(address: &ProjectAddress) -> &'static [Self] {
        if address.impersonated_account().is_some() { &[Self::Lend] } else { &[Self::Read, Self::Jobs] }
    }
}
