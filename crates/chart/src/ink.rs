//! Colours by role: a mark says what it is, the palette says how that looks in this theme.
//!
//! The only source of colour is `style/tokens.css`. The page reads its tokens through the browser, the
//! command line and the tests read the file itself; both end in the same [`Palette`].

use std::collections::BTreeMap;

macro_rules! inks {
    ($($(#[$doc:meta])* $name:ident = $token:literal,)*) => {
        /// The role of a colour in a chart.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Ink {
            $($(#[$doc])* $name,)*
        }

        impl Ink {
            /// Every role, in the order of the palette.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The custom property that holds this colour.
            #[must_use]
            pub const fn token(self) -> &'static str {
                match self {
                    $(Self::$name => $token,)*
                }
            }
        }
    };
}

inks! {
    /// The page under the chart.
    Background = "--bg",
    /// A row under the pointer.
    Band = "--bg-panel",
    /// Main text, and the critical chain.
    Text = "--text",
    /// Second text.
    Text2 = "--text-2",
    /// Third text: ticks, captions.
    Text3 = "--text-3",
    /// A grid line.
    Line = "--line",
    /// An axis.
    LineStrong = "--line-strong",
    /// The hand-over from one stage to the next.
    HandOver = "--n-500",
    /// The empty part of a meter.
    MeterTrack = "--n-200",
    /// The full part of a meter.
    MeterFill = "--n-600",
    /// The answer.
    Accent = "--accent",
    /// The ground of what belongs to the answer: what our own line holds, the chosen step.
    AccentSoft = "--accent-soft",
    /// The ring round the selected mark.
    Focus = "--focus",
    /// Mark of an error or of a limit that is exceeded.
    BadMark = "--bad-line",
    /// Text of an error or of a limit that is exceeded.
    BadText = "--bad",
    /// Loading: ground of the bar.
    LoadFill = "--ph-load",
    /// Loading: edge of the bar.
    LoadEdge = "--ph-load-edge",
    /// Loading: text on the bar.
    LoadInk = "--ph-load-ink",
    /// Stall: ground of the strip.
    StallFill = "--ph-stall",
    /// Stall: hatch of the strip.
    StallEdge = "--ph-stall-edge",
    /// Waiting: hatch and dashed edge.
    WaitEdge = "--ph-wait-edge",
    /// Transfer: ground of the bar.
    TransferFill = "--ph-transfer",
    /// Transfer: edge of the bar.
    TransferEdge = "--ph-transfer-edge",
    /// Computing: ground of the bar.
    ComputeFill = "--ph-compute",
    /// Computing: edge of the bar.
    ComputeEdge = "--ph-compute-edge",
    /// Computing: text on the bar.
    ComputeInk = "--ph-compute-ink",
    /// Free after work: the dots.
    FreeDots = "--ph-idle-edge",
    /// Free after work: text.
    FreeInk = "--ph-idle-ink",
    /// Our own line in a comparison.
    SeriesOurs = "--s-ours",
    /// First line compared with.
    SeriesA = "--s-a",
    /// Second line compared with.
    SeriesB = "--s-b",
    /// Third line compared with.
    SeriesC = "--s-c",
    /// First device of the fleet.
    Dev1 = "--dev-1",
    /// Second device of the fleet.
    Dev2 = "--dev-2",
    /// Third device of the fleet.
    Dev3 = "--dev-3",
    /// Fourth device of the fleet.
    Dev4 = "--dev-4",
    /// Fifth device of the fleet.
    Dev5 = "--dev-5",
    /// Sixth device of the fleet.
    Dev6 = "--dev-6",
    /// Seventh device of the fleet.
    Dev7 = "--dev-7",
    /// Eighth device of the fleet.
    Dev8 = "--dev-8",
    /// Edge of a device's shade.
    DevEdge = "--dev-edge",
    /// Text on the stronger shades.
    DevInkDark = "--dev-ink-dark",
    /// Text on the fainter shades.
    DevInkLight = "--dev-ink-light",
    /// A decode pass: ground of the bar.
    DecodeFill = "--ph-decode",
    /// Attention heads computing: ground of the bar.
    HeadStageFill = "--ph-head-stage",
    /// Blocks moving: the line along the bar.
    MoveLine = "--ph-move-line",
    /// Fewest heads on a device.
    Heads1 = "--heads-1",
    /// Second step.
    Heads2 = "--heads-2",
    /// Third step.
    Heads3 = "--heads-3",
    /// Fourth step.
    Heads4 = "--heads-4",
    /// Most heads on a device.
    Heads5 = "--heads-5",
    /// Text on the first three steps.
    HeadsInk = "--heads-ink",
    /// Text on the last two steps.
    HeadsInkStrong = "--heads-ink-strong",
}

impl Ink {
    /// The shade of a device by its place in the fleet, from 0; after eight it repeats.
    #[must_use]
    pub fn device(index: usize) -> Self {
        use Ink::{Dev1, Dev2, Dev3, Dev4, Dev5, Dev6, Dev7, Dev8};
        [Dev1, Dev2, Dev3, Dev4, Dev5, Dev6, Dev7, Dev8][index % 8]
    }

    /// A line of a grid at a value: strong where that is zero.
    #[must_use]
    pub fn grid(value: f64) -> Self {
        if value == 0.0 {
            Self::LineStrong
        } else {
            Self::Line
        }
    }

    /// Text on the shade of a device: of each four shades the first two are strong, the others faint.
    #[must_use]
    pub const fn on_device(index: usize) -> Self {
        if index % 4 < 2 {
            Self::DevInkDark
        } else {
            Self::DevInkLight
        }
    }
}

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InkTheme {
    /// Ink on paper.
    Light,
    /// Palette for a dark background.
    Dark,
}

/// A role without a colour: the style sheet and this file disagree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the style sheet gives no colour for {token}: it says {found_value:?}")]
pub struct MissingToken {
    /// The custom property.
    pub token: &'static str,
    /// The value found, if any.
    pub found_value: Option<String>,
}

/// A colour for every role: red, green, blue, 0 to 255.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Palette([(u8, u8, u8); Ink::ALL.len()]);

impl Palette {
    /// Builds a palette from a reader of custom properties, such as the browser's computed style.
    /// Understood are `#rgb`, `#rrggbb`, `rgb(r g b)` and `rgb(r, g, b)`.
    ///
    /// # Errors
    /// Names the first role whose property is absent or no such colour.
    pub fn new(read: impl Fn(&str) -> Option<String>) -> Result<Self, MissingToken> {
        let mut colours = [(0, 0, 0); Ink::ALL.len()];
        for ink in Ink::ALL {
            let found = read(ink.token());
            colours[*ink as usize] =
                found
                    .as_deref()
                    .and_then(parse_colour)
                    .ok_or_else(|| MissingToken {
                        token: ink.token(),
                        found_value: found.clone(),
                    })?;
        }
        Ok(Self(colours))
    }

    /// Builds a palette from the text of the style sheet itself, where there is no browser to ask.
    ///
    /// # Errors
    /// As [`Palette::new`].
    pub fn from_tokens(css: &str, theme: InkTheme) -> Result<Self, MissingToken> {
        let tokens = tokens(css, theme);
        Self::new(|name| resolve(&tokens, name))
    }

    /// The colour of a role.
    #[must_use]
    pub const fn colour(&self, ink: Ink) -> (u8, u8, u8) {
        self.0[ink as usize]
    }
}

fn parse_colour(text: &str) -> Option<(u8, u8, u8)> {
    let text = text.trim();
    if let Some(hex) = text.strip_prefix('#') {
        if !hex.is_ascii() {
            return None;
        }
        let pair = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
        let single = |at: usize| Some(u8::from_str_radix(hex.get(at..=at)?, 16).ok()? * 17);
        return match hex.len() {
            3 => Some((single(0)?, single(1)?, single(2)?)),
            6 => Some((pair(0)?, pair(2)?, pair(4)?)),
            _ => None,
        };
    }
    let inner = text.strip_prefix("rgb(")?.strip_suffix(')')?;
    let mut parts = inner.split([' ', ',']).filter(|part| !part.is_empty());
    let mut channel = || parts.next()?.parse::<u8>().ok();
    let colour = (channel()?, channel()?, channel()?);
    parts.next().is_none().then_some(colour)
}

/// The custom properties that hold in `theme`. Reads rules at the top level only: what is inside a
/// media query is a preference of the reader's browser, which an export does not know.
fn tokens(css: &str, theme: InkTheme) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let text = without_comments(css);
    let (mut rest, dark) = (text.as_str(), ":root[data-theme=\"dark\"]");
    while let Some(open) = rest.find('{') {
        let selector = rest[..open].trim();
        let body = &rest[open + 1..];
        let close = closing_brace(body);
        if selector == ":root" || (theme == InkTheme::Dark && selector == dark) {
            for declaration in body[..close].split(';') {
                if let Some((name, value)) = declaration.split_once(':')
                    && name.trim().starts_with("--")
                {
                    found.insert(name.trim().to_owned(), value.trim().to_owned());
                }
            }
        }
        rest = body.get(close + 1..).unwrap_or("");
    }
    found
}

fn without_comments(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(start) = rest.find("/*") {
        out.push_str(&rest[..start]);
        rest = rest[start..]
            .find("*/")
            .map_or("", |end| &rest[start + end + 2..]);
    }
    out + rest
}

/// Where the block ends that was opened just before `body`.
fn closing_brace(body: &str) -> usize {
    let mut depth = 1;
    for (at, c) in body.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    body.len()
}

/// Follows `var(--x)` to a value. Eight steps are more than the style sheet needs and end a circle.
fn resolve(tokens: &BTreeMap<String, String>, name: &str) -> Option<String> {
    let mut value = tokens.get(name)?;
    for _ in 0..8 {
        match value
            .strip_prefix("var(")
            .and_then(|rest| rest.strip_suffix(')'))
        {
            Some(next) => value = tokens.get(next.trim())?,
            None => return Some(value.clone()),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSS: &str = include_str!("../../../style/tokens.css");

    #[test]
    fn every_role_has_a_colour_in_both_themes() {
        let light = Palette::from_tokens(CSS, InkTheme::Light).expect("light");
        let dark = Palette::from_tokens(CSS, InkTheme::Dark).expect("dark");
        assert_eq!(light.colour(Ink::LoadFill), (0xbd, 0xce, 0xe5));
        assert_eq!(dark.colour(Ink::LoadFill), (0x33, 0x46, 0x5f));
        // Through a chain of two names, the second of which the dark theme chose again.
        assert_eq!(light.colour(Ink::Background), (0xfc, 0xfc, 0xfb));
        assert_eq!(dark.colour(Ink::Background), (0x13, 0x16, 0x17));
    }

    #[test]
    fn reads_the_three_ways_to_write_a_colour() {
        assert_eq!(parse_colour(" #bdcee5 "), Some((0xbd, 0xce, 0xe5)));
        assert_eq!(parse_colour("#0fA"), Some((0, 255, 170)));
        assert_eq!(parse_colour("rgb(1 20 255)"), Some((1, 20, 255)));
        assert_eq!(parse_colour("rgb(1, 20, 255)"), Some((1, 20, 255)));
        for bad in [
            "",
            "#12",
            "#1234567",
            "#ää",
            "rgb(1 2)",
            "rgb(1 2 300)",
            "red",
        ] {
            assert_eq!(parse_colour(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_missing_token_is_named() {
        let none = Palette::new(|name| (name != "--ph-transfer").then(|| "#123".to_owned()));
        assert_eq!(none.map_err(|e| e.token), Err("--ph-transfer"));
        let circle = Palette::from_tokens(":root { --bg: var(--bg); }", InkTheme::Light);
        assert_eq!(circle.map_err(|e| e.token), Err("--bg"));
    }

    #[test]
    fn media_queries_do_not_leak() {
        let css = ":root { --a: #111; } @media print { :root { --a: #222; } } /* } */ :root { --b: #333; }";
        let tokens = tokens(css, InkTheme::Dark);
        assert_eq!(tokens.get("--a").map(String::as_str), Some("#111"));
        assert_eq!(tokens.get("--b").map(String::as_str), Some("#333"));
    }

    #[test]
    fn shades_repeat_after_eight() {
        assert_eq!(Ink::device(0), Ink::Dev1);
        assert_eq!(Ink::device(11), Ink::Dev4);
        assert_eq!(Ink::on_device(8), Ink::DevInkDark);
        assert_eq!(Ink::on_device(6), Ink::DevInkLight);
    }
}
