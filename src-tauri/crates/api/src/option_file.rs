//! The option file of the MySQL and MariaDB clients, `~/.my.cnf`: user and password.

use std::collections::HashMap;
use std::path::Path;

/// The groups of options that client programs read.
const GROUPS: [&str; 4] = ["client", "client-server", "client-mariadb", "mysql"];

/// Returns the password in an option file for a login (host, port, database, user). A file without a host applies to any host, so that it
/// is used only for the user's own addresses.
pub(crate) fn find_password(text: &str, login: &[String; 4], own_address: bool) -> Option<String> {
    let options = parse_options(text);
    let [host, port, _, person] = login;
    let fits = |name: &str, own: &str| options.get(name).is_none_or(|value| value.eq_ignore_ascii_case(own));
    let meant = match options.get("host") {
        Some(name) => name.eq_ignore_ascii_case(host),
        None => own_address,
    };
    let same_person = options.get("user").is_none_or(|user| user == person);
    (meant && fits("port", port) && same_person).then(|| options.get("password").cloned()).flatten()
}

fn parse_options(text: &str) -> HashMap<String, String> {
    let mut options = HashMap::new();
    let mut read = false;
    for line in text.lines().map(str::trim) {
        if let Some(group) = line.strip_prefix('[') {
            let group = group.split(']').next().unwrap_or_default().trim();
            read = GROUPS.iter().any(|known| known.eq_ignore_ascii_case(group));
        } else if read
            && !line.starts_with(['#', ';', '!'])
            && let Some((name, value)) = line.split_once('=')
        {
            options.insert(name.trim().to_lowercase().replace('-', "_"), value_of(value.trim()));
        }
    }
    options
}

/// Returns a value without quotes, escapes and trailing comment.
fn value_of(text: &str) -> String {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let mut value = String::new();
    let mut letters = text.chars().skip(usize::from(quote.is_some()));
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('n') => value.push('\n'),
                Some('t') => value.push('\t'),
                Some('s') => value.push(' '),
                Some('r') => value.push('\r'),
                Some('b') => value.push('\u{8}'),
                Some(c @ ('\\' | '"' | '\'')) => value.push(c),
                Some(other) => value.extend(['\\', other]),
                None => value.push('\\'),
            },
            letter if Some(letter) == quote => return value,
            '#' if quote.is_none() && value.ends_with(char::is_whitespace) => break,
            letter => value.push(letter),
        }
    }
    value.trim_end().to_owned()
}

/// Returns a file's text, unless other users may read the file.
pub(crate) fn read_private(path: &Path) -> Option<String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(path).ok()?.permissions().mode();
        if mode & 0o077 != 0 {
            tracing::warn!("a file with passwords is not used, because others may read it; its mode should be 0600");
            return None;
        }
    }
    std::fs::read_to_string(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned_login(parts: [&str; 4]) -> [String; 4] {
        parts.map(str::to_owned)
    }

    #[test]
    fn the_clients_group_has_the_password() {
        let ann = owned_login(["db", "3306", "shop", "ann"]);
        for (file, found) in [
            ("[client]\npassword=plain\n", Some("plain")),
            ("[mysqld]\npassword=no\n[client]\npassword = \"a b # \\\" c\"\n", Some("a b # \" c")),
            ("[client]\n# password=no\npassword=first\n[mysql]\npassword='last' # comment\n", Some("last")),
            ("[client]\nuser=ann\nhost=DB\nport=3306\npassword=x\\sy # comment", Some("x y")),
            ("[client]\nuser=bob\npassword=no\n", None),
            ("[client]\nhost=other\npassword=no\n", None),
            ("[client]\nport=3307\npassword=no\n", None),
            ("[mysqldump]\npassword=no\n", None),
            ("password=no\n[client]\nuser=ann\n", None),
        ] {
            assert_eq!(find_password(file, &ann, true).as_deref(), found, "{file}");
        }
    }

    #[test]
    fn a_password_without_a_host_is_for_the_users_own_addresses() {
        let evil = owned_login(["evil.example", "3306", "shop", "ann"]);
        assert_eq!(find_password("[client]\npassword=x\n", &evil, false), None);
        assert_eq!(find_password("[client]\nhost=db\npassword=x\n", &evil, true), None);
        let db = owned_login(["db", "3306", "shop", "ann"]);
        assert_eq!(find_password("[client]\nhost=db\npassword=x\n", &db, false).as_deref(), Some("x"));
    }
}
