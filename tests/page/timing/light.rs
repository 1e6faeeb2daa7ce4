//! How light the start is: what is asked of the host until the first live answer, when something is seen and when it is live, what
//! moves meanwhile, and how long the page keeps its thread. What may move has a limit, and what may be asked for; sizes and
//! times are printed, and `.ci/run` limits the sizes.

use crate::host::Host;
use crate::page::strings;
use crate::scene::{Scene, dist};
use crate::timing::print;
use crate::visitor::Visitor;
use engine::scenario::Question;
use finish::BuildFiles;
use finish::compress::gzip;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process;

/// Notes when the live answer is shown, what moved, and tasks that kept the thread.
const WATCH: &str = "window.__seen = { shift: 0, tasks: [], live: null, painted: null };
    const hear = (type, take) => new PerformanceObserver(list => list.getEntries().forEach(take)).observe({ type, buffered: true });
    hear('layout-shift', e => { if (!e.hadRecentInput) window.__seen.shift += e.value; });
    hear('longtask', e => window.__seen.tasks.push([e.startTime, e.duration]));
    hear('paint', e => { if (e.name === 'first-contentful-paint') window.__seen.painted = e.startTime; });
    const look = () => {
        const app = document.getElementById('app');
        if (app && !app.classList.contains('unseen') && app.querySelector('#headline')?.textContent && app.querySelector('#proof'))
            window.__seen.live = performance.now();
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    // From then on everything else is loaded.
    addEventListener('edgewise-answered', () => { window.__seen.answered ??= performance.now(); });";

/// What had been asked for by then.
const ASKED: &str = "performance.getEntriesByType('resource')
    .filter(entry => entry.startTime <= window.__seen.answered && entry.name.startsWith(location.origin)).map(entry => entry.name)";

/// How a visit goes: its name, the network [B/s] with its delay [ms], and how many times slower the processor is.
type Way = (&'static str, Option<(f64, f64)>, f64);

const WAYS: [Way; 3] = [
    ("local", None, 1.0),
    ("9 Mbit/s, 60 ms", Some((9e6 / 8.0, 60.0)), 1.0),
    (
        "9 Mbit/s, 60 ms, CPU 4 times slower",
        Some((9e6 / 8.0, 60.0)),
        4.0,
    ),
];

/// Puts the build into a folder with every file beside itself compressed, as hosts send it; the sizes of those by their names [B].
fn pressed_into(folder: &Path) -> BTreeMap<String, usize> {
    fs::create_dir_all(folder).expect("the target folder can be written");
    let files = BuildFiles::read(&dist()).expect("a built page");
    let sized = files.0.into_iter().map(|(name, bytes)| {
        let pressed = gzip(&bytes).expect("memory can be written");
        fs::write(folder.join(format!("{name}.gz")), &pressed).expect("it can be written");
        fs::write(folder.join(&name), bytes).expect("it can be written");
        (name, pressed.len())
    });
    sized.collect()
}

async fn slow_down(visitor: &Visitor, network: Option<(f64, f64)>, times: f64) {
    visitor
        .cdp("Emulation.setCPUThrottlingRate", json!({ "rate": times }))
        .await;
    if let Some((rate, delay)) = network {
        visitor.cdp("Network.enable", json!({})).await;
        let limits = json!({ "offline": false, "latency": delay, "downloadThroughput": rate, "uploadThroughput": rate });
        visitor
            .cdp("Network.emulateNetworkConditions", limits)
            .await;
    }
}

#[tokio::test]
async fn the_start_of_every_question() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("light-{}", process::id()));
    let sizes = pressed_into(&folder);
    print(
        "question, way: bytes until live (gzip -9), first paint, live, layout shift, longest task until live and after, heap",
    );
    for question in Question::ALL {
        for (way, network, times) in WAYS {
            let mut scene = Scene::timed().await;
            scene.host = Host::start(&folder).await;
            let visitor = scene.visitor().await;
            visitor.before_pages(WATCH).await;
            let screen =
                json!({ "width": 1440, "height": 900, "deviceScaleFactor": 1, "mobile": false });
            visitor
                .cdp("Emulation.setDeviceMetricsOverride", screen)
                .await;
            slow_down(&visitor, network, times).await;
            visitor
                .go(&format!("{}#{}", scene.host.url(), question.name()))
                .await;
            visitor
                .until("the live answer", "window.__seen?.live")
                .await;
            let mut asked = strings(&visitor.value(ASKED).await);
            asked.push("index.html".to_owned());
            asked.sort();
            asked.dedup();
            visitor.whole().await;
            let settled = "const done = arguments[0]; setTimeout(() => done({ ...window.__seen, heap: performance.memory?.usedJSHeapSize ?? 0 }), 1000);";
            let seen = visitor.js_async(settled, vec![]).await;
            let number = |of: &Value| of.as_f64().unwrap_or_default();
            let live = number(&seen["live"]);
            let (mut before, mut after) = (0f64, 0f64);
            for task in seen["tasks"].as_array().into_iter().flatten() {
                let kept = if number(&task[0]) <= live {
                    &mut before
                } else {
                    &mut after
                };
                *kept = kept.max(number(&task[1]));
            }
            let name = |url: &String| url.rsplit('/').next().unwrap_or_default().to_owned();
            let bytes: usize = asked
                .iter()
                .map(|line| sizes.get(&name(line)).copied().unwrap_or_default())
                .sum();
            print(&format!(
                "{}, {way}: {bytes} B in {} files, {:.0} ms, {live:.0} ms, {:.3}, {before:.0} and {after:.0} ms, {:.1} MB",
                question.name(),
                asked.len(),
                number(&seen["painted"]),
                number(&seen["shift"]),
                number(&seen["heap"]) / 1e6,
            ));
            assert!(
                number(&seen["shift"]) <= 0.05,
                "{}, {way}: {seen}",
                question.name()
            );
            assert!(
                number(&seen["painted"]) < live,
                "{}, {way}: {seen}",
                question.name()
            );
            // Nothing that this question does not need is in the way of its answer.
            let own = question.name().replace('-', "_");
            let foreign = |name: &String| {
                let pack = name.strip_prefix("app_");
                let pack = pack
                    .and_then(|rest| rest.split_once('-'))
                    .map(|(pack, _)| pack);
                pack.is_some_and(|pack| !["bg", "common", &own].contains(&pack))
            };
            let foreign: Vec<String> = asked.iter().map(name).filter(foreign).collect();
            assert!(
                foreign.is_empty(),
                "{}, {way}: {foreign:?}",
                question.name()
            );
            visitor.leave().await;
        }
    }
    fs::remove_dir_all(&folder).expect("the target folder can be written");
}
