//! The workers of a page, watched and crashed by scripts. Only this file knows how a message to a worker is laid out.

/// Keeps every worker in `window.__workers`, the one that got the latest message in `window.__latestWorker`, and what was requested of
/// all of them in `window.__requests`. A request is `{ kind, isSubtask, query, name }`: name of the question, text of the query if there
/// is one, and the name of the query or else of the request. `window.__crash(worker)` ends a worker as a crash does.
///
/// While `window.__crashes` is positive, a worker dies of each message for whose requests `window.__crashesAt` returns true.
pub const WATCH_WORKERS: &str = "window.__workers = [];
    window.__latestWorker = null;
    window.__requests = [];
    window.__crashes = 0;
    window.__crashesAt = () => false;
    window.__crash = worker => {
        worker.terminate();
        worker.dispatchEvent(new ErrorEvent('error', { message: 'killed by a test', cancelable: true }));
    };
    window.Worker = class extends Worker {
        constructor(...all) {
            super(...all);
            this.alive = true;
            window.__workers.push(this);
            const count = () => { window.__atFirstAnswer ??= window.__workers.length; };
            this.addEventListener('message', ({ data }) => { if (data.answered) count(); });
        }
        terminate() { this.alive = false; super.terminate(); }
        postMessage(message, ...more) {
            window.__latestWorker = this;
            super.postMessage(message, ...more);
            const nameOf = value => typeof value === 'string' ? value : Array.isArray(value) ? value[0] : Object.keys(value)[0];
            const requests = (message?.tasks ?? []).filter(({ request }) => request).map(({ request }) => {
                const isSubtask = Boolean(request.Subtask);
                const query = request.Deferred ?? request.Subtask?.[1];
                return { kind: message.kind, isSubtask, query, name: nameOf(query ? JSON.parse(query) : request) };
            });
            window.__requests.push(...requests);
            if (!window.__crashes || !requests.length || !window.__crashesAt(requests)) return;
            window.__crashes -= 1;
            this.terminate();
            setTimeout(() => window.__crash(this), 0);
        }
    };";

/// Crashes the worker that got the latest message.
pub const CRASH_LATEST: &str = "window.__crash(window.__latestWorker);";

/// [`WATCH_WORKERS`] with so many crashes, each at a message for whose `requests` the JavaScript expression `condition` holds.
pub fn crashing(crashes: u32, condition: &str) -> String {
    format!(
        "{WATCH_WORKERS} window.__crashes = {crashes}; window.__crashesAt = requests => {condition};"
    )
}
