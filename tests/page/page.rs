//! The page's parts by the names people have for them.

use super::visitor::{Key, Visitor};
use serde_json::{Value, json};

impl Visitor {
    /// Opens the page, without a link, and waits for its answer.
    pub async fn open(&self) {
        self.go(&self.url).await;
        self.answered().await;
    }

    /// Opens a link as if in a new tab: never as a step within the page.
    pub async fn open_link(&self, link: &str) {
        self.go("about:blank").await;
        self.go(link).await;
        self.answered().await;
    }

    /// Waits until the page has loaded everything, and the browser keeps it.
    pub async fn whole(&self) {
        let whole = "document.documentElement.dataset.whole === ''";
        self.until("the whole page", whole).await;
    }

    /// Waits until the answer belongs to the scenario.
    pub async fn answered(&self) {
        let settled = "!document.getElementById('static') && /^(Optimal|Order optimal|Within|Yours|Best found|Nothing found|None found|Does not fit)/.test(\
                       document.getElementById('proof')?.textContent ?? '')";
        let settled = format!("{settled} && document.querySelector('main[aria-busy=false]')");
        self.until("the answer", &settled).await;
    }

    /// Waits until the sweep over prompt lengths is complete.
    pub async fn swept(&self) {
        let summed = "document.getElementById('sweep-summary')?.textContent";
        self.until("the sweep", summed).await;
    }

    /// Waits until the headline holds a text, and what is below it is of the same answer.
    pub async fn headline_with(&self, part: &str) {
        let holds = format!(
            "document.getElementById('headline')?.textContent.includes({}) && document.querySelector('main[aria-busy=false]')",
            json!(part)
        );
        self.until(&format!("a headline with {part}"), &holds).await;
    }

    /// The words of an element.
    pub async fn text(&self, id: &str) -> String {
        let expression = format!("document.getElementById({})?.textContent.trim()", json!(id));
        self.text_of(&expression).await
    }

    /// The number in a field.
    pub async fn field(&self, id: &str) -> String {
        self.text_of(&format!("document.getElementById({})?.value", json!(id)))
            .await
    }

    /// Types into a field in place of what it holds, key by key.
    pub async fn fill(&self, id: &str, text: &str) {
        // Two calls: a modifier is held until the end of the one it is in.
        self.type_into(id, &(Key::Control + "a")).await;
        self.type_into(id, text).await;
    }

    /// Chooses an option of a select by its value.
    pub async fn choose(&self, id: &str, value: &str) {
        let script = "const select = document.getElementById(arguments[0]);
            select.value = arguments[1];
            select.dispatchEvent(new Event('change', { bubbles: true }));
            return select.value;";
        self.js(script, vec![json!(id), json!(value)]).await;
    }

    /// Unfolds a section as a press on its title does, once it is there.
    pub async fn open_section(&self, id: &str) {
        let script = "(title => { if (title?.ariaExpanded === 'false') title.click(); return title?.ariaExpanded === 'true'; })";
        let title = format!("document.querySelector('#{id}:not([hidden]) > .head .turn')");
        self.until(&format!("#{id} unfolded"), &format!("{script}({title})"))
            .await;
    }

    /// Opens the folds of a section.
    pub async fn open_folds(&self, id: &str) {
        let script = format!(
            "for (const fold of document.querySelectorAll('#{id} details.fold')) fold.open = true;"
        );
        self.js(&script, vec![]).await;
    }

    /// Opens every section and every fold.
    pub async fn unfold(&self) {
        let script = "const done = arguments[0];
            for (const title of document.querySelectorAll('.block.folded:not([hidden]) > .head .turn')) title.click();
            const open = () => { for (const fold of document.querySelectorAll('details.fold')) fold.open = true; done(); };
            requestAnimationFrame(() => requestAnimationFrame(open));";
        self.js_async(script, vec![]).await;
    }

    /// What reaches beyond the right edge of the window, but for what scrolls by itself; empty if nothing does.
    pub async fn sticks_out(&self) -> String {
        // A picture that has just come takes its width in the next frame.
        let frames =
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done));";
        self.js_async(frames, vec![]).await;
        let wide = "(() => { const width = document.documentElement.clientWidth; \
            return document.documentElement.scrollWidth <= width ? '' : document.documentElement.scrollWidth + ' px: ' \
            + [...document.querySelectorAll('body *')].filter(e => e.checkVisibility() && !e.closest('.scroll, .sr, svg') \
            && e.getBoundingClientRect().right > width + 0.5).map(e => e.id || e.className || e.tagName).slice(0, 6).join(); \
            })()";
        self.text_of(wide).await
    }

    /// Names of the devices, from the top.
    pub async fn devices(&self) -> Vec<String> {
        let names =
            "[...document.querySelectorAll('#fleet tbody.device input.t')].map(i => i.value)";
        strings(&self.value(names).await)
    }

    /// Presses an entry in the menu of the device at a position.
    pub async fn device_menu(&self, at: usize, entry: &str) {
        // What a menu lists is built when it is opened.
        let script = "const [at, entry, done] = arguments;
            const row = document.querySelectorAll('#fleet tbody.device')[at];
            row.querySelector('summary').click();
            setTimeout(() => {
                [...row.querySelectorAll('.menu-list button')].find(b => b.textContent === entry).click();
                done(true);
            }, 0);";
        self.js_async(script, vec![json!(at), json!(entry)]).await;
    }

    /// Copies the link by the button and reads the clipboard.
    pub async fn copied_link(&self) -> String {
        self.click("share").await;
        let copied = "document.getElementById('toast').textContent.startsWith('Link copied')";
        self.until("the link on the clipboard", copied).await;
        let read = "const done = arguments[0]; navigator.clipboard.readText().then(done, e => done('' + e));";
        let link = self.js_async(read, vec![]).await;
        link.as_str().unwrap_or_default().to_owned()
    }

    /// The document that the page saves: the scenario and its answer.
    pub async fn saved_plan(&self) -> Value {
        let _ = std::fs::remove_dir_all(self.downloads()); // the first time there is none
        self.open_section("take").await;
        self.click("save-plan").await;
        let (name, text) = self.saved("-plan.json").await;
        serde_json::from_str(&text).unwrap_or_else(|fault| panic!("{name}: {fault}"))
    }

    /// The cells of a table, row by row.
    pub async fn rows(&self, table: &str) -> Vec<Vec<String>> {
        let cells = format!(
            "[...document.querySelectorAll('#{table} tbody tr')].map(row => \
             [...row.cells].map(cell => cell.textContent.trim()))"
        );
        let rows = self.value(&cells).await;
        rows.as_array()
            .map(|rows| rows.iter().map(strings).collect())
            .unwrap_or_default()
    }
}

/// A JavaScript list of strings.
pub fn strings(list: &Value) -> Vec<String> {
    let items = list.as_array().into_iter().flatten();
    items
        .map(|item| item.as_str().unwrap_or_default().to_owned())
        .collect()
}
