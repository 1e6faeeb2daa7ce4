//! A static host as plain as they come: the files of a folder under a sub-path, compressed where they are there so, right types,
//! real 404s. It
//! keeps a log, can hold files back, can lose one, and can go away.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tower_http::services::ServeDir;

/// Where the page lives on its host.
pub const FOLDER: &str = "/some/folder";

/// What the host was asked, and how it is told to behave.
#[derive(Debug, Default)]
struct Book {
    log: Vec<String>,
    held: Option<String>,
    lost: Option<String>,
}

type Shared = Arc<Mutex<Book>>;

fn locked(book: &Shared) -> MutexGuard<'_, Book> {
    book.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running host.
pub struct Host {
    address: SocketAddr,
    book: Shared,
    serving: JoinHandle<()>,
    connections: Vec<JoinHandle<()>>,
}

impl Host {
    /// Serves `dist` on a free port of this machine.
    pub async fn start(dist: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .expect("this machine has a free port");
        let address = listener.local_addr().expect("a bound port has a number");
        let book = Shared::default();
        let files = Router::new()
            .nest_service(FOLDER, ServeDir::new(dist).precompressed_gzip())
            .fallback(|| async { StatusCode::NOT_FOUND })
            .layer(from_fn_with_state(book.clone(), watched));
        let serving = tokio::spawn(async move {
            axum::serve(listener, files)
                .await
                .expect("a bound port can be served");
        });
        Self {
            address,
            book,
            serving,
            connections: Vec::new(),
        }
    }

    /// Address of the page.
    pub fn url(&self) -> String {
        format!("{}{FOLDER}/", self.origin())
    }

    /// Scheme, name and port.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Requests so far, as `200 /some/folder/index.html`.
    pub fn log(&self) -> Vec<String> {
        locked(&self.book).log.clone()
    }

    /// Answers no request for a file of this ending until [`Self::release`].
    pub fn hold(&self, ending: &str) {
        locked(&self.book).held = Some(ending.into());
    }

    /// Answers what was held.
    pub fn release(&self) {
        locked(&self.book).held = None;
    }

    /// Has no file of this ending any more.
    pub fn lose(&self, ending: &str) {
        locked(&self.book).lost = Some(ending.into());
    }

    /// Goes away: whoever connects is counted and sent off. Ends open connections too.
    pub async fn leave(&mut self) {
        self.serving.abort();
        let _ = (&mut self.serving).await; // it was aborted, and says so
        locked(&self.book).lost = Some(String::new()); // connections that were kept alive answer nothing but 404
        let Ok(listener) = TcpListener::bind(self.address).await else {
            return; // the port stays closed, which is as good
        };
        let book = self.book.clone();
        self.connections.push(tokio::spawn(async move {
            while listener.accept().await.is_ok() {
                locked(&book).log.push("a connection while offline".into());
            }
        }));
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.serving.abort();
        self.connections.iter().for_each(JoinHandle::abort);
    }
}

async fn watched(State(book): State<Shared>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let ends = |ending: &Option<String>| ending.as_ref().is_some_and(|e| path.ends_with(e));
    while ends(&locked(&book).held) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let lost = ends(&locked(&book).lost);
    let response = if lost {
        StatusCode::NOT_FOUND.into_response()
    } else {
        next.run(request).await
    };
    let line = format!("{} {path}", response.status().as_u16());
    locked(&book).log.push(line);
    response
}
