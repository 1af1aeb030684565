//! Parsing of SHOW GRANTS.

use crate::grants::more_than;

/// Privileges that change nothing, as SHOW GRANTS writes them before ON.
const READS: &[&str] = &[
    "USAGE",
    "SELECT",
    "SHOW VIEW",
    "SHOW DATABASES",
    "PROCESS",
    "REPLICATION CLIENT",
    "BINLOG MONITOR",
    "SLAVE MONITOR",
];

/// Returns the privileges of a line beyond reading, with their object.
pub(super) fn more_than_reading(grant: &str) -> Option<String> {
    more_than(READS, grant)
}

#[cfg(test)]
mod tests {
    use super::more_than_reading;

    #[test]
    fn what_is_more_than_reading_is_told_from_reading() {
        for (grant, more) in [
            ("GRANT USAGE ON *.* TO `ann`@`%` IDENTIFIED BY PASSWORD '*1'", None),
            ("GRANT SELECT, SHOW VIEW ON `shop`.* TO `ann`@`%`", None),
            ("GRANT SELECT (`a`, `b`) ON `shop`.`t` TO `ann`@`%`", None),
            ("GRANT `reader` TO `ann`@`%`", None),
            (
                "GRANT SELECT, INSERT (`a`, `b`), UPDATE ON `shop`.`t` TO `ann`@`%`",
                Some("INSERT, UPDATE on `shop`.`t`"),
            ),
            ("GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost` WITH GRANT OPTION", Some("ALL PRIVILEGES on *.*")),
            ("GRANT FILE ON *.* TO `ann`@`%`", Some("FILE on *.*")),
        ] {
            assert_eq!(more_than_reading(grant).as_deref(), more, "{grant}");
        }
    }
}
