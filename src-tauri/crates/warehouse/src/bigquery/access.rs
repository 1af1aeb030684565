//! What tokens are asked for.

use super::address::ProjectAddress;

/// What a token is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Reading: catalogs, queries, results. Google refuses such a token to everything that changes something.
    Read,
    /// What Google lets nobody do with the other one: stopping a job, and a dry run as a job. It is used for nothing else.
    Jobs,
    /// Nothing but asking for the token of a service account.
    Lend,
}

impl Access {
    /// Google's name of the scope.
    pub fn oauth_scope(self) -> &'static str {
        match self {
            Self::Read => "https://www.googleapis.com/auth/cloud-platform.read-only",
            Self::Jobs => "https://www.googleapis.com/auth/bigquery",
            Self::Lend => "https://www.googleapis.com/auth/iam",
        }
    }

    /// What a person is asked to grant for an address: what its tokens will be for, and no more.
    pub fn granted_for(address: &ProjectAddress) -> &'static [Self] {
        if address.impersonated_account().is_some() { &[Self::Lend] } else { &[Self::Read, Self::Jobs] }
    }
}
