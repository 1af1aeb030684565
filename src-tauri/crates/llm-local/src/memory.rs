//! Checks that the model fits into memory before it is loaded, because otherwise the system kills processes.

use vitrine_models::GgufInfo;

/// Memory in addition to weights and key-value cache: compute buffers, vocabulary, grammar tables.
const WORKING_BYTES: u64 = 350 << 20;

/// Returns the memory in bytes that a model needs with this context size.
pub(crate) fn needed_bytes(info: &GgufInfo, context_tokens: u32) -> u64 {
    info.bytes
        .saturating_add(info.kv_bytes_per_token.saturating_mul(u64::from(context_tokens)))
        .saturating_add(WORKING_BYTES)
}

/// Returns the available memory in bytes, or `None` if the system does not report it.
pub(crate) fn available_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let system = meminfo_available(&text)?;
    Some(system.min(control_group_room().unwrap_or(u64::MAX)))
}

fn meminfo_available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? << 10)
}

/// Returns the remaining memory of a container's limit.
fn control_group_room() -> Option<u64> {
    let read = |name: &str| std::fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok();
    let limit: u64 = read("memory.max")?.trim().parse().ok()?;
    let used: u64 = read("memory.current")?.trim().parse().ok()?;
    // The usage includes cached file pages, which are reclaimable.
    let stat = read("memory.stat").unwrap_or_default();
    let cached = stat
        .lines()
        .find_map(|l| l.strip_prefix("inactive_file "))
        .and_then(|n| n.trim().parse::<u64>().ok())
        .unwrap_or(0);
    Some(limit.saturating_sub(used.saturating_sub(cached)))
}

/// Returns a message if `available` is less than the memory needed.
pub(crate) fn describe_shortage(info: &GgufInfo, context_tokens: u32, available: Option<u64>) -> Option<String> {
    let needed = needed_bytes(info, context_tokens);
    let available = available?;
    (available < needed).then(|| {
        format!(
            "it needs about {} with a context of {context_tokens} tokens, and {} are free. Close other programs, choose \
             a smaller model, or set a shorter context",
            format_gigabytes(needed),
            format_gigabytes(available)
        )
    })
}

fn format_gigabytes(bytes: u64) -> String {
    format!("{:.1} GB", bytes as f64 / 1e9)
}

/// Returns the number of logical cores, including hyper-threads.
pub(crate) fn logical_cores() -> u32 {
    std::thread::available_parallelism().map_or(1, |n| n.get() as u32)
}

/// Returns the number of physical cores that this process may use. Hyper-threads do not speed up matrix products.
pub(crate) fn physical_cores() -> u32 {
    let allowed = logical_cores();
    let counted = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| cores_of(&text));
    counted.unwrap_or(allowed).clamp(1, allowed)
}

fn cores_of(cpuinfo: &str) -> Option<u32> {
    let mut cores = std::collections::BTreeSet::new();
    for block in cpuinfo.split("\n\n") {
        let field = |name: &str| {
            block.lines().find(|l| l.starts_with(name)).and_then(|l| l.split(':').nth(1)).map(|v| v.trim().to_owned())
        };
        if let Some(core) = field("core id") {
            cores.insert((field("physical id"), core));
        }
    }
    (!cores.is_empty()).then_some(cores.len() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build_info() -> GgufInfo {
        GgufInfo {
            name: None,
            architecture: "qwen2".into(),
            parameters: 0,
            context_tokens: 32768,
            licence: None,
            bytes: 1_117_320_768,
            kv_bytes_per_token: 28_672,
            has_chat_template: true,
        }
    }

    #[test]
    fn a_shortage_names_both_figures_and_a_way_out() {
        let message = describe_shortage(&build_info(), 16384, Some(800_000_000)).unwrap();
        assert!(
            message.contains("2.0 GB") && message.contains("0.8 GB") && message.contains("smaller model"),
            "{message}"
        );
        assert_eq!(describe_shortage(&build_info(), 16384, Some(3_000_000_000)), None);
        assert_eq!(describe_shortage(&build_info(), 16384, None), None, "a system that does not tell is trusted");
    }

    #[test]
    fn meminfo_is_in_kilobytes() {
        assert_eq!(meminfo_available("MemTotal: 1 kB\nMemAvailable:    2048 kB\n"), Some(2 << 20));
    }

    #[test]
    fn hyper_threads_are_not_counted() {
        let text = "processor : 0\nphysical id : 0\ncore id : 0\n\nprocessor : 1\nphysical id : 0\ncore id : 0\n\n\
                    processor : 2\nphysical id : 0\ncore id : 1\n";
        assert_eq!(cores_of(text), Some(2));
        assert_eq!(cores_of("processor : 0\n"), None);
    }
}
