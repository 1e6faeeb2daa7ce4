//! Hostile names: whatever a device or a model is called, what is run stays the same, and what is a comment stays one.

use super::importers::commands;
use super::{chain, exported, random_counts};
use crate::cases::cases;
use protocol::flags::{Flags, LayerMap, PathForm, Tool, all_flags, flags, plain};

const HOSTILE: [&str; 22] = [
    "a\nrm -rf ~",
    "a\r\nrm -rf ~",
    "\u{85}reboot\u{2028}reboot\u{2029}",
    "$(reboot)",
    "`reboot`",
    "'; reboot; '",
    "\"; reboot; \"",
    "x && reboot || reboot | reboot &",
    "> /etc/passwd < /dev/zero",
    "ends with a backslash \\",
    "!! !reboot ^a^b",
    "~root/* ?[a] {a,b} =reboot",
    "# -*- \u{0} \u{1b}[2J \u{7}",
    "\u{202e}toober\u{2066}",
    "</pre><script>alert(1)</script>",
    "%s%n {} {0}",
    "\\\n\\\n",
    "",
    "   ",
    "\u{1f680}\u{1f680}",
    "*/ //",
    "HOST1 -ts 1,1",
];

/// What a comment may hold: nothing that any shell acts on, even one that takes `#` for a command.
fn is_tame(line: &str) -> bool {
    let safe = |c: char| c.is_alphanumeric() || " .,_-+:/@".contains(c);
    line.strip_prefix("# ")
        .is_some_and(|rest| rest.chars().all(safe))
}

fn named(counts: &[usize], name: &str, model: &str) -> LayerMap {
    let devices: Vec<(&str, usize)> = (0..counts.len()).map(|at| (name, at)).collect();
    chain(model, counts, &devices)
}

#[test]
fn names_never_leave_their_comments() {
    for seed in 0..cases(200) {
        let counts = random_counts(seed, 6);
        let tame = named(&counts, "phone", "model");
        for (at, name) in HOSTILE.iter().enumerate() {
            let hostile = named(&counts, name, HOSTILE[(at + 7) % HOSTILE.len()]);
            for tool in Tool::ALL {
                let (Ok(found), Ok(wanted)) = (flags(tool, &hostile), flags(tool, &tame)) else {
                    continue;
                };
                let Flags { text, form, notes } = found;
                if form == PathForm::Json {
                    assert_eq!(text, wanted.text, "{name:?}");
                } else {
                    assert_eq!(commands(&text), commands(&wanted.text), "{name:?}");
                    let mut comments = text.lines().filter(|line| line.starts_with('#'));
                    assert!(comments.all(is_tame), "{name:?}: {text:?}");
                    assert_eq!(text.lines().count(), wanted.text.lines().count());
                }
                assert!(
                    notes.iter().all(|note| !note.chars().any(char::is_control)),
                    "{name:?}"
                );
                assert_eq!(notes.len(), wanted.notes.len(), "{name:?}");
            }
        }
    }
}

#[test]
fn our_own_words_in_comments_are_tame_and_no_comment_follows_a_command() {
    let chain = named(&[3, 4, 5], "Jetson Orin NX 16GB", "Qwen3-14B");
    let mut checked = 0;
    for tool in Tool::ALL {
        let Ok(flags) = flags(tool, &chain) else {
            continue;
        };
        if flags.form == PathForm::Shell {
            for line in flags.text.lines() {
                assert!(is_tame(line) || !line.contains('#'), "{line}");
            }
            assert!(
                flags.text.contains("on Jetson Orin NX 16GB, "),
                "{}",
                flags.text
            );
            checked += 1;
        }
    }
    assert_eq!(checked, 6, "tools with a command line");
}

#[test]
fn a_device_without_a_name_is_called_by_its_stage() {
    for name in ["", "  ", "\u{1f680}", "\n", "$"] {
        let text = exported(Tool::LlamaCpp, &named(&[3, 4], name, name)).text;
        assert!(text.contains("on stage 2, HOST2, "), "{name:?}: {text}");
    }
}

#[test]
fn a_name_is_cut_and_kept_on_one_line() {
    let long = plain(&"phone ".repeat(100));
    assert!(long.chars().count() <= 60, "{long}");
    let chain = named(&[3, 4], &"\u{e9}".repeat(5000), "m");
    assert!(
        all_flags(&chain)
            .lines()
            .all(|line| line.chars().count() < 700)
    );
}
