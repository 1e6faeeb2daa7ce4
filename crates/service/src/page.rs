//! The page, out of the program itself: what stood in `dist/` when the program was built, with what it is compressed to.

use crate::problem::Problem;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

/// A file of the page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageFile {
    /// Its path below `dist/`.
    path: &'static str,
    /// The content, uncompressed.
    plain: &'static [u8],
    /// Compressed with brotli, if that is beside it.
    brotli: Option<&'static [u8]>,
    /// Compressed with gzip, if that is beside it.
    gzip: Option<&'static [u8]>,
    /// Some digits of its hash.
    tag: &'static str,
}

/// `FILES`, written by `build.rs`, in the order of their paths.
mod built {
    use super::PageFile;
    include!(concat!(env!("OUT_DIR"), "/page.rs"));
}

/// Answers with a file of the page.
pub(crate) async fn answer(request: Request) -> Response {
    from(built::FILES, &request)
}

fn from(files: &[PageFile], request: &Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let found = files.iter().find(|file| file.path == path);
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    match found {
        Some(file) if is_read => send(file, request.headers()),
        None if path == "index.html" && is_read => missing(),
        _ => {
            let detail = format!("there is nothing at /{path}");
            Problem::new(StatusCode::NOT_FOUND, "unknown", "", detail).into_response()
        }
    }
}

/// Returns the response to `/` of a program that was built without the page.
fn missing() -> Response {
    let text = "This program was built without the page. To have it here:\n\n  \
                ./dev build && cargo build --release\n\nThe answers are under /api/v1/ all the same.\n";
    (StatusCode::NOT_FOUND, text).into_response()
}

fn send(file: &PageFile, headers: &HeaderMap) -> Response {
    let tag = HeaderValue::from_str(&format!("\"{}\"", file.tag));
    let had = headers.get(header::IF_NONE_MATCH);
    let is_had = tag.as_ref().is_ok_and(|tag| had == Some(tag));
    let (bytes, coding) = match (file.brotli, file.gzip) {
        (Some(bytes), _) if accepts_coding(headers, "br") => (bytes, Some("br")),
        (_, Some(bytes)) if accepts_coding(headers, "gzip") => (bytes, Some("gzip")),
        _ => (file.plain, None),
    };
    let body = if is_had { &[] } else { bytes };
    let mut response = Body::from(Bytes::from_static(body)).into_response();
    if is_had {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let out = response.headers_mut();
    if let Ok(tag) = tag {
        out.insert(header::ETAG, tag);
    }
    let mut say = |name, value| out.insert(name, HeaderValue::from_static(value));
    say(header::VARY, "accept-encoding");
    say(header::CONTENT_TYPE, media(file.path));
    say(
        header::CACHE_CONTROL,
        match is_stamped(file.path) {
            true => "public, max-age=31536000, immutable",
            false => "no-cache",
        },
    );
    if let Some(coding) = coding {
        say(header::CONTENT_ENCODING, coding);
    }
    say(header::REFERRER_POLICY, "no-referrer");
    say(header::X_FRAME_OPTIONS, "DENY");
    if let Some(policy) = policy(file) {
        out.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// The service worker of the page, which has to keep its name.
const WORKER: &str = "service.js";
/// Content security policy of the service worker: it fetches the files that it caches.
const WORKER_POLICY: &str = "default-src 'none'; connect-src 'self'";

/// The policy that the page states of itself, as a header, which also says who may frame it; and that of its worker.
fn policy(file: &PageFile) -> Option<HeaderValue> {
    if file.path == WORKER {
        return Some(HeaderValue::from_static(WORKER_POLICY));
    }
    let text = std::str::from_utf8(file.plain).ok()?;
    let (_, rest) = text.split_once("http-equiv=\"Content-Security-Policy\" content=\"")?;
    let (policy, _) = rest.split_once('"')?;
    HeaderValue::from_str(&format!("{policy}; frame-ancestors 'none'")).ok()
}

/// Returns true if the client accepts a content coding.
fn accepts_coding(headers: &HeaderMap, coding: &str) -> bool {
    let given = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut given = given
        .filter_map(|one| one.to_str().ok())
        .flat_map(|one| one.split(','));
    given.any(|one| {
        let mut parts = one.split(';').map(str::trim);
        let named = parts
            .next()
            .is_some_and(|name| name.eq_ignore_ascii_case(coding));
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse().ok());
        named && weight.unwrap_or(1.0_f64) > 0.0
    })
}

/// Returns true if a name contains a digest of the content: `app-0123456789abcdef.js`, `app-0123456789abcdef_bg.wasm`.
fn is_stamped(path: &str) -> bool {
    let hex = |part: &str| part.len() >= 8 && part.chars().all(|c| c.is_ascii_hexdigit());
    path.split(['-', '.', '_']).any(hex)
}

fn media(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &[PageFile] = &[
        PageFile {
            path: "app-0123456789abcdef_bg.wasm",
            plain: b"plain, plain, plain",
            brotli: Some(b"brotli"),
            gzip: Some(b"gzip"),
            tag: "a1",
        },
        PageFile {
            path: "index.html",
            plain: b"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'\">",
            brotli: None,
            gzip: None,
            tag: "b2",
        },
        PageFile {
            path: "manifest-0123456789abcdef.webmanifest",
            plain: b"{}",
            brotli: None,
            gzip: None,
            tag: "c3",
        },
        PageFile {
            path: "service.js",
            plain: b"const BUILD = \"\";",
            brotli: None,
            gzip: None,
            tag: "d4",
        },
    ];

    fn get(path: &str, headers: &[(&str, &str)]) -> Response {
        let mut request = Request::builder().uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        from(PAGE, &request.body(Body::empty()).expect("a request"))
    }

    fn header<'r>(response: &'r Response, name: &str) -> Option<&'r str> {
        response.headers().get(name)?.to_str().ok()
    }

    fn length(response: &Response) -> Option<u64> {
        hyper::body::Body::size_hint(response.body()).exact()
    }

    #[test]
    fn the_smallest_encoding_that_the_client_takes_is_sent() {
        let path = "/app-0123456789abcdef_bg.wasm";
        for (accept, coding, bytes) in [
            ("gzip, deflate, br", Some("br"), 6),
            ("gzip;q=0.5", Some("gzip"), 4),
            ("br;q=0, gzip", Some("gzip"), 4),
            ("identity", None, 19),
        ] {
            let got = get(path, &[("accept-encoding", accept)]);
            assert_eq!(header(&got, "content-encoding"), coding, "{accept}");
            assert_eq!(length(&got), Some(bytes), "{accept}");
            assert_eq!(header(&got, "content-type"), Some("application/wasm"));
        }
        assert_eq!(header(&get("/", &[]), "content-encoding"), None);
    }

    #[test]
    fn stamped_files_are_kept_for_good_and_the_page_is_asked_for_again() {
        let stamped = get("/app-0123456789abcdef_bg.wasm", &[]);
        let kept = header(&stamped, "cache-control").expect("it says so");
        assert!(kept.contains("immutable"), "{kept}");
        let page = get("/", &[]);
        assert_eq!(header(&page, "cache-control"), Some("no-cache"));
        assert_eq!(header(&page, "etag"), Some("\"b2\""));
        let again = get("/index.html", &[("if-none-match", "\"b2\"")]);
        assert_eq!(
            (again.status(), length(&again)),
            (StatusCode::NOT_MODIFIED, Some(0))
        );
    }

    #[test]
    fn the_page_can_be_installed() {
        let worker = get("/service.js", &[]);
        let policy = header(&worker, "content-security-policy").expect("it has a policy");
        assert!(policy.contains("connect-src 'self'"), "{policy}");
        let media = header(&worker, "content-type").expect("it says so");
        assert!(media.starts_with("text/javascript"), "{media}");
        assert_eq!(header(&worker, "cache-control"), Some("no-cache"));
        let manifest = get("/manifest-0123456789abcdef.webmanifest", &[]);
        let media = header(&manifest, "content-type");
        assert_eq!(media, Some("application/manifest+json"));
    }

    #[test]
    fn the_policy_of_the_page_is_a_header_too() {
        let policy = "default-src 'none'; script-src 'self'; frame-ancestors 'none'";
        assert_eq!(
            header(&get("/", &[]), "content-security-policy"),
            Some(policy)
        );
    }

    #[test]
    fn a_missing_file_is_not_found() {
        assert_eq!(get("/nothing", &[]).status(), StatusCode::NOT_FOUND);
        let request = Request::builder()
            .uri("/")
            .body(Body::empty())
            .expect("a request");
        assert_eq!(from(&[], &request).status(), StatusCode::NOT_FOUND);
    }
}
