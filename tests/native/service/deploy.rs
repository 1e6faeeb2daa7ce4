//! The files under `deploy/` agree with the program. `deploy/check.sh` holds them against the tools that read them.

use crate::cli::edgewise;
use service::limits::STOP_SECONDS;
use service::routes::ROUTES;

fn read(name: &str) -> String {
    let path = format!("{}/deploy/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("the file is there")
}

#[test]
fn examples_use_flags_and_paths_that_exist() {
    let help = edgewise(&["serve", "--help"], "").out;
    let manifest = read("kubernetes.yaml");
    let is_comment = |line: &&str| line.starts_with('#');
    for (name, text) in [
        ("edgewise.service", read("edgewise.service")),
        ("Containerfile", read("Containerfile")),
        ("kubernetes.yaml", manifest.clone()),
    ] {
        let lines: Vec<&str> = text.lines().filter(|line| !is_comment(line)).collect();
        let lines = lines.join("\n");
        let words = lines.split(|c: char| c.is_whitespace() || "\",[]".contains(c));
        // Those of cargo are beside its name.
        let flags: Vec<&str> = words
            .filter(|word| word.starts_with("--") && word.len() > 3)
            .collect();
        assert!(!flags.is_empty(), "{name}");
        for flag in flags {
            let foreign =
                ["--locked", "--release", "--bin"].contains(&flag) || flag.starts_with("--from");
            assert!(
                foreign
                    || help.contains(&format!("{flag} "))
                    || help.contains(&format!("{flag}\n")),
                "{name}: {flag}"
            );
        }
    }
    let probes = manifest
        .lines()
        .filter_map(|line| line.trim().strip_prefix("path: "));
    let probes: Vec<&str> = probes.collect();
    assert_eq!(probes, ["/readyz", "/healthz"]);
    for probe in probes {
        assert!(ROUTES.iter().any(|route| route.path == probe), "{probe}");
    }
}

#[test]
fn supervisors_wait_longer_than_the_service_takes_to_stop() {
    let number = |text: &str, key: &str| -> u64 {
        let line = text.lines().find_map(|line| line.trim().strip_prefix(key));
        line.expect("the key is there")
            .trim()
            .parse()
            .expect("a number")
    };
    let unit = read("edgewise.service");
    let manifest = read("kubernetes.yaml");
    assert!(number(&unit, "TimeoutStopSec=") > STOP_SECONDS + 1);
    assert!(number(&manifest, "terminationGracePeriodSeconds:") > STOP_SECONDS + 1);
    assert!(unit.contains("\nKillMode=mixed\n"));
}
