//! Roles that were granted to a login and are not active: their privileges do not apply until the role is set.
//! Vitrine's queries never run with one, but another program with the same login can set it.

use super::grants::more_than_reading;
use super::pool::Session;
use mysql_async::Error;
use mysql_async::prelude::Queryable;
use vitrine_words::tr;

/// A role that is granted and not active.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Idle {
    pub(super) name: String,
    /// Its privileges beyond reading; `None` if the server does not report them.
    pub(super) more: Option<Vec<String>>,
}

impl Idle {
    /// Describes the role in one line.
    pub(super) fn describe_role(&self) -> String {
        let allows = match &self.more {
            None => tr!("the server does not tell what it would allow"),
            Some(more) if more.is_empty() => tr!("it would allow to read"),
            Some(more) => tr!("it would allow {more}", more = more.join("; ")),
        };
        tr!("Role {name} is granted and not active: {allows}.", name = self.name, allows)
    }

    /// Returns true if the role is known to allow no more than reading.
    pub(super) fn only_reads(&self) -> bool {
        self.more.as_ref().is_some_and(Vec::is_empty)
    }
}

/// Returns the roles in the lines of SHOW GRANTS that are not active, with their privileges.
pub(super) async fn find_inactive_roles(session: &mut Session, grants: &[String]) -> Result<Vec<Idle>, Error> {
    let granted: Vec<Name> = grants.iter().flat_map(|grant| parse_granted_roles(grant)).collect();
    if granted.is_empty() {
        return Ok(Vec::new());
    }
    // MariaDB has one active role, which includes others; MySQL has a list.
    let active: Option<Option<String>> = session.conn.query_first("SELECT CURRENT_ROLE()").await?;
    let active = active.flatten().unwrap_or_default();
    let active = if session.is_mariadb { parse_mariadb_role(active) } else { parse_role_names(&active) };
    let mut idle = Vec::new();
    for name in granted.into_iter().filter(|name| active.iter().all(|active| active.user != name.user)) {
        let lines = match session.is_mariadb {
            true => in_mariadb(session, &name, active.first()).await,
            false => session.conn.query(format!("SHOW GRANTS FOR CURRENT_USER() USING {}", name.to_sql())).await,
        };
        let more = match lines {
            Ok(lines) => {
                let own = lines.iter().filter(|line| !grants.contains(line));
                Some(own.filter_map(|line| more_than_reading(line)).collect())
            }
            Err(Error::Server(_)) => None,
            Err(error) => return Err(error),
        };
        idle.push(Idle { name: name.user, more });
    }
    Ok(idle)
}

/// Reads the privileges of a role in MariaDB, which reports them only to a session that has set the role. The role is
/// set only for this request, and no user query runs meanwhile.
async fn in_mariadb(session: &mut Session, name: &Name, active: Option<&Name>) -> Result<Vec<String>, Error> {
    session.conn.query_drop(format!("SET ROLE {}", quote_identifier(&name.user))).await?;
    let lines = session.conn.query("SHOW GRANTS").await;
    let before = active.map_or_else(|| "NONE".to_owned(), |active| quote_identifier(&active.user));
    session.conn.query_drop(format!("SET ROLE {before}")).await?;
    lines
}

/// Parses the current role of MariaDB, which is not quoted.
fn parse_mariadb_role(text: String) -> Vec<Name> {
    if text.is_empty() { Vec::new() } else { vec![Name { user: text, host: String::new() }] }
}

/// The name of a role; in MySQL it includes a host, as for users.
#[derive(Debug, PartialEq, Eq)]
struct Name {
    user: String,
    host: String,
}

impl Name {
    fn to_sql(&self) -> String {
        format!("{}@{}", quote_identifier(&self.user), quote_identifier(&self.host))
    }
}

/// Returns the roles that a line of SHOW GRANTS grants to a user, which is a line without ON. Roles that are granted to
/// another role become active with it.
fn parse_granted_roles(grant: &str) -> Vec<Name> {
    let Some((roles, to)) = grant.strip_prefix("GRANT ").and_then(|rest| rest.split_once(" TO ")) else {
        return Vec::new();
    };
    let privileges = strip_quoted_parts(roles).contains(" ON ");
    if privileges || !strip_quoted_parts(to).contains('@') { Vec::new() } else { parse_role_names(roles) }
}

/// Returns a text without its parts in backticks.
fn strip_quoted_parts(text: &str) -> String {
    text.split('`').step_by(2).collect()
}

/// Parses a comma-separated list of names with or without backticks and a host; MySQL writes `NONE` for an empty list.
fn parse_role_names(text: &str) -> Vec<Name> {
    let (mut parts, mut part, mut quoted, mut host) = (Vec::new(), String::new(), false, None::<String>);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '`' if quoted && letters.peek() == Some(&'`') => part.extend(letters.next()),
            '`' => quoted = !quoted,
            '@' if !quoted => host = Some(std::mem::take(&mut part)),
            ',' if !quoted => parts.push((host.take(), std::mem::take(&mut part))),
            ' ' if !quoted => {}
            letter => part.push(letter),
        }
    }
    parts.push((host, part));
    let name = |(user, last): (Option<String>, String)| match user {
        Some(user) => Name { user, host: last },
        None => Name { user: last, host: "%".to_owned() },
    };
    parts.into_iter().map(name).filter(|name| !name.user.is_empty() && name.user != "NONE").collect()
}

fn quote_identifier(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_told_from_privileges() {
        let users = |grant: &str| parse_granted_roles(grant).into_iter().map(|name| name.user).collect::<Vec<_>>();
        assert_eq!(users("GRANT `writer` TO `ann`@`%`"), ["writer"]);
        assert_eq!(users("GRANT `a`@`%`,`b, c`@`host` TO `ann`@`%` WITH ADMIN OPTION"), ["a", "b, c"]);
        assert_eq!(users("GRANT writer TO ann@%"), ["writer"]);
        assert_eq!(users("GRANT `odd ON ``x` TO `ann`@`%`"), ["odd ON `x"]);
        assert_eq!(users("GRANT SELECT ON `shop`.* TO `ann`@`%`"), [""; 0]);
        assert_eq!(users("GRANT `inner` TO `writer`"), [""; 0], "it is active with the role that has it");
        assert_eq!(parse_role_names("NONE"), []);
        assert_eq!(parse_role_names("`r`@`%`"), [Name { user: "r".to_owned(), host: "%".to_owned() }]);
        assert_eq!(Name { user: "a`b".to_owned(), host: "%".to_owned() }.to_sql(), "`a``b`@`%`");
    }

    #[test]
    fn what_a_role_would_allow_is_said() {
        let idle = |more| Idle { name: "r".to_owned(), more };
        assert!(
            idle(None).describe_role().ends_with("the server does not tell what it would allow.")
                && !idle(None).only_reads()
        );
        assert!(idle(Some(Vec::new())).only_reads());
        let deletes = idle(Some(vec!["DELETE on `shop`.*".to_owned()]));
        assert_eq!(deletes.describe_role(), "Role r is granted and not active: it would allow DELETE on `shop`.*.");
    }
}
