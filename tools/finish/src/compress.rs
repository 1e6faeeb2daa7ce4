//! Puts files compressed with brotli and gzip beside those of a build, as small as they get, for hosts that send what
//! they find there instead of compressing it themselves again and again.

use crate::BuildFiles;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};
use std::sync::Mutex;
use std::thread;

/// Below this a smaller file saves no packet.
const LEAST: usize = 1024;
/// As large a window as every browser takes.
const WINDOW: u32 = 22;
/// Brotli's best; gzip's is called so.
const BEST: u32 = 11;

/// Adds `name.br` and `name.gz` for every file that is worth it and gets smaller by it.
///
/// # Errors
/// Never in fact: what is written stays in memory.
pub fn press(files: &mut BuildFiles) -> io::Result<()> {
    let large = files.0.iter().filter(|(_, bytes)| bytes.len() > LEAST);
    let mut largest_last: Vec<_> = large.collect();
    largest_last.sort_by_key(|(_, bytes)| bytes.len());
    let left = Mutex::new(largest_last);
    let work = || -> io::Result<Vec<(String, Vec<u8>)>> {
        let mut done = Vec::new();
        loop {
            // The guard goes with the statement, so that the others can take theirs.
            let next = left.lock().map_or(None, |mut left| left.pop());
            let Some((name, bytes)) = next else {
                return Ok(done);
            };
            for (ending, pressed) in [("br", brotli(bytes)?), ("gz", gzip(bytes)?)] {
                if pressed.len() < bytes.len() {
                    done.push((format!("{name}.{ending}"), pressed));
                }
            }
        }
    };
    let count = thread::available_parallelism().map_or(1, usize::from);
    let pressed = thread::scope(|scope| {
        let workers: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
        let ends = workers.into_iter().map(|worker| worker.join());
        ends.map(|end| end.map_err(|_| io::Error::other("a thread has ended"))?)
            .collect::<io::Result<Vec<_>>>()
    })?;
    files.0.extend(pressed.into_iter().flatten());
    Ok(())
}

fn brotli(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut writer = brotli::CompressorWriter::new(Vec::new(), 1 << 16, BEST, WINDOW);
    writer.write_all(bytes)?;
    Ok(writer.into_inner())
}

/// Some bytes as small as gzip gets them.
///
/// # Errors
/// Never in fact: what is written stays in memory.
pub fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut writer = GzEncoder::new(Vec::new(), Compression::best());
    writer.write_all(bytes)?;
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::Digest;
    use std::io::Read;

    #[test]
    fn large_files_have_two_compressed_forms_with_the_same_content() {
        let mut files = BuildFiles::default();
        let text = "a word, and another one; ".repeat(200);
        files.put("long.css", text.clone());
        files.put("short.css", "a".repeat(LEAST));
        // Nothing repeats in it, so nothing can be saved.
        let noise = (0..200_u32).flat_map(|n| sha2::Sha256::digest(n.to_le_bytes()));
        files.0.insert("noise.png".to_owned(), noise.collect());
        press(&mut files).expect("memory can be written");
        let names: Vec<&str> = files.0.keys().map(String::as_str).collect();
        assert_eq!(
            names,
            [
                "long.css",
                "long.css.br",
                "long.css.gz",
                "noise.png",
                "short.css"
            ]
        );
        let mut read = String::new();
        brotli::Decompressor::new(&files.0["long.css.br"][..], 4096)
            .read_to_string(&mut read)
            .expect("it is brotli");
        assert_eq!(read, text);
        read.clear();
        flate2::read::GzDecoder::new(&files.0["long.css.gz"][..])
            .read_to_string(&mut read)
            .expect("it is gzip");
        assert_eq!(read, text);
    }
}
