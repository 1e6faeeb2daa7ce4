//! The class and generation of a machine that the catalogue lacks, by the way its maker names such machines.

use super::CalibrationClass;

/// The class and generation that a name tells; `None` where it tells none.
pub(super) fn kin(name: &str) -> Option<(CalibrationClass, &'static str)> {
    let name = name.to_lowercase();
    let split = |c: char| !(c.is_alphanumeric() || c == '-');
    let words: Vec<&str> = name.split(split).filter(|word| !word.is_empty()).collect();
    let has = |word: &str| words.contains(&word);
    if has("xeon") || has("epyc") || has("threadripper") {
        return Some((CalibrationClass::ServerCpu, ""));
    }
    if has("ryzen") {
        return words.iter().find_map(|word| ryzen(word));
    }
    if has("core") {
        return words.iter().find_map(|word| core(word, has("ultra")));
    }
    if has("rtx") || has("gtx") {
        let class = match has("laptop") || has("mobile") || has("max-q") {
            true => CalibrationClass::NvidiaLaptop,
            false => CalibrationClass::NvidiaDesktop,
        };
        return words.iter().find_map(|word| Some((class, geforce(word)?)));
    }
    if has("rx") {
        return words.iter().find_map(|word| radeon(word));
    }
    None
}

/// The number at the beginning of a word and what follows it.
fn number(word: &str) -> Option<(u32, &str)> {
    let end = word
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(word.len());
    Some((word[..end].parse().ok()?, &word[end..]))
}

fn geforce(word: &str) -> Option<&'static str> {
    let (number, _) = number(word)?;
    Some(match number {
        1000..=1099 => "pascal",
        1600..=2099 => "turing",
        3000..=3099 => "ampere",
        4000..=4099 => "ada",
        5000..=5099 => "blackwell",
        _ => return None,
    })
}

fn radeon(word: &str) -> Option<(CalibrationClass, &'static str)> {
    let (number, _) = number(word)?;
    let generation = match number {
        5000..=5999 => "rdna1",
        6000..=6999 => "rdna2",
        7000..=7999 => "rdna3",
        9000..=9999 => "rdna4",
        _ => return None,
    };
    Some((CalibrationClass::AmdCard, generation))
}

/// Letters behind the number of a processor for laptops.
fn is_laptop(suffix: &str) -> bool {
    let is_graphics = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit());
    matches!(
        suffix,
        "u" | "h" | "hs" | "hx" | "hq" | "hk" | "p" | "v" | "y"
    ) || suffix
        .strip_prefix('g')
        .is_some_and(|rest| rest.len() == 1 && is_graphics(rest))
}

fn class_of(suffix: &str) -> CalibrationClass {
    match is_laptop(suffix) {
        true => CalibrationClass::LaptopCpu,
        false => CalibrationClass::DesktopCpu,
    }
}

fn ryzen(word: &str) -> Option<(CalibrationClass, &'static str)> {
    let (number, suffix) = number(word)?;
    let generation = match number {
        1000..=2999 => "zen1",
        3000..=4999 => "zen2",
        5000..=6999 => "zen3",
        7000..=8999 => "zen4",
        9000..=9999 => "zen5",
        _ => return None,
    };
    Some((class_of(suffix), generation))
}

/// A processor as i7-8565U, or of the Ultra series as 165H.
fn core(word: &str, is_ultra: bool) -> Option<(CalibrationClass, &'static str)> {
    let rest = match word.split_once('-') {
        Some(("i3" | "i5" | "i7" | "i9", rest)) => rest,
        _ if is_ultra => word,
        _ => return None,
    };
    let (number, suffix) = number(rest)?;
    let generation = match number {
        100..=299 if is_ultra => "hybrid",
        2000..=3999 => "avx1",
        4000..=10_999 => "avx2",
        11_000..=11_999 | 1000..=1199 => "avx512",
        12_000..=14_999 | 1200..=1399 => "hybrid",
        _ => return None,
    };
    let class = match number {
        // Four digits of later generations are of laptops only.
        1000..=1399 => CalibrationClass::LaptopCpu,
        _ => class_of(suffix),
    };
    Some((class, generation))
}
