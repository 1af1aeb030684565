//! Errors of SSH, classified by OpenSSH's messages, which are always in English, independent of the language of the
//! system.

use serde::{Deserialize, Serialize};
use vitrine_words::tr;

/// The reason why an SSH connection failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SshFault {
    /// The program `ssh` is not installed.
    NotInstalled,
    /// The address is from another user's run.
    Foreign,
    /// The SSH host is not found or does not respond.
    Unreachable,
    /// The SSH host's key is unknown, because nothing has signed in to it from here before.
    HostKeyUnknown,
    /// The SSH host's key has changed.
    HostKeyChanged,
    /// The SSH host refused the login.
    LoginRefused,
    /// The SSH host does not permit forwarding to the database's server.
    ForwardingRefused,
    /// The SSH host cannot reach the database's server.
    DatabaseUnreachable,
    /// The connection to the SSH host ended.
    Ended,
    /// Any other error of `ssh`.
    Failed,
}

impl SshFault {
    /// Classifies the last lines of an `ssh` process that has ended.
    pub(super) fn from_lines(lines: &[String]) -> Self {
        let any = |words: &[&str]| lines.iter().any(|line| words.iter().any(|word| line.contains(word)));
        if any(&["HOST IDENTIFICATION HAS CHANGED"]) {
            Self::HostKeyChanged
        } else if any(&["Host key verification failed", "host key is known for"]) {
            Self::HostKeyUnknown
        } else if any(&["Permission denied (", "Too many authentication failures", "No more authentication methods"]) {
            Self::LoginRefused
        } else if any(&[
            "Could not resolve hostname",
            "connect to host",
            "banner exchange",
            "kex_exchange_identification",
            "ssh_exchange_identification",
            "Connection timed out",
            "stdio forwarding failed",
        ]) {
            Self::Unreachable
        } else {
            Self::Failed
        }
    }

    /// Classifies a line about a forwarded connection; `None` for other lines.
    pub(super) fn of_channel(line: &str) -> Option<Self> {
        let reason = line.strip_prefix("channel ")?.split_once(": open failed: ")?.1;
        Some(if reason.starts_with("administratively prohibited") {
            Self::ForwardingRefused
        } else {
            Self::DatabaseUnreachable
        })
    }

    /// Returns the message for the user; `through` is the SSH host.
    pub(crate) fn message(self, through: &str, server: &str) -> String {
        match self {
            Self::NotInstalled => tr!("{server} is reached by SSH, and the program ssh is not installed here", server),
            Self::Foreign => {
                tr!("{server} came with another person's run, so no SSH sign-in is made for it", server)
            }
            Self::Unreachable => tr!("{through} cannot be reached by SSH", through),
            Self::HostKeyUnknown => {
                tr!("the host key of {through} is not known here, so nothing was sent", through)
            }
            Self::HostKeyChanged => {
                tr!("the host key of {through} differs from the known one, so nothing was sent", through)
            }
            Self::LoginRefused => tr!("{through} did not let this user in by SSH", through),
            Self::ForwardingRefused => tr!("{through} does not let connections through to {server}", through, server),
            Self::DatabaseUnreachable => tr!("{through} cannot reach the server of {server}", through, server),
            Self::Ended => tr!("the SSH connection through {through} ended", through),
            Self::Failed => tr!("the SSH connection to {through} could not be made", through),
        }
    }

    /// Returns the advice for the user. `line` is the command that signs in in a terminal, and `known_as` is the name
    /// of the SSH host in the known_hosts file.
    pub(crate) fn hint(self, line: &str, known_as: &str) -> String {
        match self {
            Self::NotInstalled => {
                tr!(
                    "Install OpenSSH's client: apt-get install openssh-client, or under Windows in the optional features."
                )
            }
            Self::Foreign => tr!("Use an address of your own, which you have written or a colleague has given you."),
            Self::Unreachable => {
                tr!("Check its name and port and the network (VPN, firewall). `{line}` in a terminal shows more.", line)
            }
            Self::HostKeyUnknown => tr!(
                "Run `{line}` in a terminal, compare the displayed fingerprint with the one from the machine's administrator, and answer yes.",
                line
            ),
            Self::HostKeyChanged => tr!(
                "Another machine may impersonate it. Only if its administrator confirms a new key: `ssh-keygen -R '{known_as}'`, then `{line}`.",
                known_as,
                line
            ),
            Self::LoginRefused => tr!(
                "`{line}` must sign in without a prompt: add the key to the agent (ssh-add), or name its file in the address (ssh_key=PATH); its passphrase is then requested.",
                line
            ),
            Self::ForwardingRefused => {
                tr!(
                    "Ask its administrator to allow forwarding for this user (AllowTcpForwarding and PermitOpen in sshd)."
                )
            }
            Self::DatabaseUnreachable => {
                tr!("Check host and port as that machine knows them: localhost is that machine itself.")
            }
            Self::Ended => tr!("Ask again: the connection is made again."),
            Self::Failed => tr!("`{line}` in a terminal must work without a prompt; it shows more.", line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_fault(text: &str) -> SshFault {
        SshFault::from_lines(&text.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn what_openssh_writes_is_told_apart() {
        for (text, fault) in [
            ("ssh: Could not resolve hostname bastion: Name or service not known", SshFault::Unreachable),
            ("ssh: connect to host 10.0.0.1 port 22: Connection refused", SshFault::Unreachable),
            (
                "Connection timed out during banner exchange\nConnection to 10.0.0.1 port 22 timed out",
                SshFault::Unreachable,
            ),
            ("kex_exchange_identification: Connection closed by remote host", SshFault::Unreachable),
            ("Host key verification failed.", SshFault::HostKeyUnknown),
            (
                "No ED25519 host key is known for bastion and you have requested strict checking.\nHost key verification failed.",
                SshFault::HostKeyUnknown,
            ),
            (
                "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\nOffending ED25519 key in /home/ann/.ssh/known_hosts:1\nHost key verification failed.",
                SshFault::HostKeyChanged,
            ),
            ("ann@bastion: Permission denied (publickey,password).", SshFault::LoginRefused),
            ("Received disconnect from 10.0.0.1 port 22:2: Too many authentication failures", SshFault::LoginRefused),
            ("/home/ann/.ssh/config: line 3: Bad configuration option: hostnam", SshFault::Failed),
            ("", SshFault::Failed),
        ] {
            assert_eq!(parse_fault(text), fault, "{text}");
        }
        for (line, fault) in [
            ("channel 2: open failed: administratively prohibited: open failed", Some(SshFault::ForwardingRefused)),
            ("channel 2: open failed: connect failed: Connection refused", Some(SshFault::DatabaseUnreachable)),
            ("channel 3: open failed: connect failed: Name or service not known", Some(SshFault::DatabaseUnreachable)),
            ("Authenticated to bastion", None),
        ] {
            assert_eq!(SshFault::of_channel(line), fault, "{line}");
        }
    }
}
