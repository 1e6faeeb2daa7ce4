//! Answers that are kept for the next who asks the same: as many as fit, the longest unasked leave first.

use crate::task::{SolveTask, TaskAnswer};
use lru::LruCache;
use std::sync::{Arc, Mutex, PoisonError};

/// Hash of a request and of the program that answers it.
pub(crate) type AnswerKey = blake3::Hash;

/// The hash of a program's build and all that a task holds.
pub(crate) fn key(build: &str, task: &SolveTask) -> AnswerKey {
    let mut hasher = blake3::Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(build.as_bytes());
    part(task.verb.name().as_bytes());
    part(task.word.as_deref().unwrap_or_default().as_bytes());
    part(&(task.options.len() as u64).to_le_bytes());
    for (name, value) in &task.options {
        part(name.as_bytes());
        part(value.as_bytes());
    }
    part(&task.input);
    for file in &task.files {
        part(file.field.as_bytes());
        part(file.name.as_bytes());
        part(&file.bytes);
    }
    hasher.finalize()
}

/// The answers.
#[derive(Debug)]
pub(crate) struct Cache {
    most: usize,
    kept: Mutex<CachedAnswer>,
}

#[derive(Debug)]
struct CachedAnswer {
    answers: LruCache<[u8; 32], Arc<TaskAnswer>>,
    bytes: usize,
}

impl Cache {
    /// At most so many bytes of answers.
    pub(crate) fn new(most: usize) -> Self {
        let kept = CachedAnswer {
            answers: LruCache::unbounded(),
            bytes: 0,
        };
        Self {
            most,
            kept: Mutex::new(kept),
        }
    }

    pub(crate) fn get(&self, key: &AnswerKey) -> Option<Arc<TaskAnswer>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.answers.get(key.as_bytes()).cloned()
    }

    pub(crate) fn put(&self, key: &AnswerKey, answer: Arc<TaskAnswer>) {
        let size = size(&answer);
        if size > self.most {
            return;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bytes += size;
        if let Some(old) = kept.answers.put(*key.as_bytes(), answer) {
            kept.bytes -= self::size(&old);
        }
        while kept.bytes > self.most
            && let Some((_, old)) = kept.answers.pop_lru()
        {
            kept.bytes -= self::size(&old);
        }
    }
}

/// Returns the size of an answer with its key and its entry in the list [B].
fn size(answer: &TaskAnswer) -> usize {
    let notes: usize = answer.notes.iter().map(String::len).sum();
    let fault = answer.fault.as_ref().map_or(0, String::len);
    answer.out.len() + notes + fault + 256
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(bytes: usize) -> Arc<TaskAnswer> {
        let out = vec![0; bytes];
        Arc::new(TaskAnswer {
            out,
            ..TaskAnswer::default()
        })
    }

    #[test]
    fn the_longest_unasked_leaves_first_and_the_bytes_stay_below_the_limit() {
        let cache = Cache::new(3000);
        let keys: Vec<AnswerKey> = (0..3_u8).map(|n| blake3::hash(&[n])).collect();
        cache.put(&keys[0], answer(1000));
        cache.put(&keys[1], answer(1000));
        assert!(cache.get(&keys[0]).is_some());
        cache.put(&keys[2], answer(1000));
        assert!(cache.get(&keys[1]).is_none());
        assert!(cache.get(&keys[0]).is_some() && cache.get(&keys[2]).is_some());
        cache.put(&keys[1], answer(5000));
        assert!(cache.get(&keys[1]).is_none());
        cache.put(&keys[0], answer(10));
        let kept = cache.kept.lock().expect("nobody panics here");
        let sum: usize = kept.answers.iter().map(|(_, answer)| size(answer)).sum();
        assert_eq!(kept.bytes, sum);
    }
}
