//! Puts the style sheets of the page into one file: a browser paints nothing before all are there, a host is asked once instead of
//! once a file, and together they pack better by a third.

use crate::{BuildFiles, PAGE};
use anyhow::{Result, ensure};

/// How the page names a style sheet, and where that ends.
const LINK: (&str, &str) = ("<link rel=\"stylesheet\" href=\"./", "\"/>");
/// The style sheet that holds all others.
const ALL: &str = "style.css";

/// Has the page name one sheet that holds all of those which it named, in their order.
///
/// # Errors
/// When it names none, or one that is missing or imports another.
pub fn join(files: &mut BuildFiles) -> Result<()> {
    let page = files.text(PAGE)?;
    let (mut left, mut names) = (String::new(), Vec::new());
    let mut rest = page;
    while let Some((before, behind)) = rest.split_once(LINK.0) {
        left.push_str(before);
        let Some((name, behind)) = behind.split_once(LINK.1) else {
            break;
        };
        if names.is_empty() {
            left.extend([LINK.0, ALL, LINK.1]);
        }
        names.push(name.to_owned());
        rest = behind;
    }
    ensure!(!names.is_empty(), "{PAGE} names no style sheet");
    left.push_str(rest);
    let mut all = String::new();
    for name in &names {
        let sheet = files.text(name)?;
        ensure!(
            !sheet.contains("@import"),
            "{name} imports another sheet, which has to stand first"
        );
        all.push_str(sheet.trim_end());
        all.push('\n');
    }
    for name in &names {
        files.0.remove(name);
    }
    files.put(ALL, all);
    files.put(PAGE, left);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(sheets: &[(&str, &str)], page: &str) -> BuildFiles {
        let mut files = BuildFiles::default();
        for (name, text) in sheets {
            files.put(name, (*text).to_owned());
        }
        files.put(PAGE, page.to_owned());
        files
    }

    #[test]
    fn the_page_names_one_sheet_with_all_rules_in_their_order() -> Result<()> {
        let page = "<a>\n<link rel=\"stylesheet\" href=\"./b.css\"/>\n<link rel=\"stylesheet\" href=\"./a.css\"/>\n<script>";
        let mut files = build(&[("a.css", "a { top: 0 }\n\n"), ("b.css", "b {}")], page);
        join(&mut files)?;
        assert_eq!(files.text(ALL)?, "b {}\na { top: 0 }\n");
        let joined = "<a>\n<link rel=\"stylesheet\" href=\"./style.css\"/>\n\n<script>";
        assert_eq!(files.text(PAGE)?, joined);
        assert_eq!(files.0.len(), 2);
        // What is joined already stays as it is.
        let before = files.clone();
        join(&mut files)?;
        assert_eq!(files, before);
        Ok(())
    }

    #[test]
    fn style_sheets_that_cannot_be_joined_are_reported() {
        let fault = |sheets: &[(&str, &str)], page: &str| {
            let fault = join(&mut build(sheets, page)).expect_err("a fault");
            fault.to_string()
        };
        let page = "<link rel=\"stylesheet\" href=\"./a.css\"/>";
        assert!(fault(&[], "<a>").contains("names no style sheet"));
        assert!(fault(&[], page).contains("a.css is missing"));
        assert!(fault(&[("a.css", "@import 'b.css';")], page).contains("a.css imports"));
    }
}
