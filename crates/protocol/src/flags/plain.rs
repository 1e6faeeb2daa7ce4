//! Names that users typed, as a comment may hold them.

/// The longest name in a comment, in characters.
const MOST: usize = 60;

/// A name of letters, digits, spaces and `. , _ - + : / @` alone; everything else becomes `_`, runs of white space one
/// space, and what is longer than 60 characters is cut.
///
/// Leaving quotes and line breaks out is not enough. An interactive zsh takes `#` for a command unless it is set
/// otherwise, and would expand `$(..)`, backquotes, `!`, globs and redirections in what was meant as a comment; and
/// letters that turn the direction of writing can make a line look like another one. So only what no shell acts on stays.
///
/// # Complexity
/// O(length).
#[must_use]
pub fn plain(name: &str) -> String {
    let words = name.split_whitespace().map(|word| {
        let safe = |c: char| {
            if c.is_alphanumeric() || ".,_-+:/@".contains(c) {
                c
            } else {
                '_'
            }
        };
        word.chars().map(safe).collect::<String>()
    });
    let words: Vec<String> = words.collect();
    let joined: String = words.join(" ").chars().take(MOST).collect();
    joined.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_metacharacters_are_removed() {
        assert_eq!(plain("Jetson Orin NX 16GB"), "Jetson Orin NX 16GB");
        assert_eq!(plain("a\nrm -rf ~"), "a rm -rf _");
        assert_eq!(plain("$(reboot) `x` 'y' \"z\""), "__reboot_ _x_ _y_ _z_");
        assert_eq!(plain("tail \\"), "tail _");
        assert_eq!(
            plain("caf\u{e9} \u{202e}evil\u{2028}x"),
            "caf\u{e9} _evil x"
        );
        assert_eq!(plain("\u{1f680}"), "_");
        assert_eq!(plain(&"x".repeat(500)).chars().count(), MOST);
        assert_eq!(plain("  "), "");
    }
}
