//! Connections: how many, how long, and how the service ends.

use crate::http::{router, strip_prefix};
use crate::limits::{HEAD_SECONDS, STALL_SECONDS, STOP_SECONDS};
use crate::metrics::Counted;
use crate::service::{ServiceConfig, ServiceState};
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

/// Response to a connection beyond the limit.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
/// Connections that wait to be accepted. With the usual 128, a crowd that comes at once waits a second for its next try.
const BACKLOG: u32 = 4096;
/// The longest head of a request [B].
const HEAD: usize = 64 << 10;

/// Serves until it is asked to stop; `listening` receives the address.
///
/// # Errors
/// The address cannot be listened on, or no process can be started.
pub fn serve(config: ServiceConfig, listening: impl FnOnce(SocketAddr)) -> io::Result<()> {
    // A connection is a file, and usual limits are as low as ours; where more are not allowed, fewer connections fit.
    if let Ok((_, most)) = getrlimit(Resource::RLIMIT_NOFILE) {
        let _ = setrlimit(Resource::RLIMIT_NOFILE, most, most);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = listen(config.listen)?;
        let address = listener.local_addr()?;
        let service = ServiceState::new(config);
        service.pool.warm()?;
        let (mut term, mut int) = (
            signal(SignalKind::terminate())?,
            signal(SignalKind::interrupt())?,
        );
        listening(address);
        let open = GracefulShutdown::new();
        let accepting = accept(&listener, &service, &open);
        tokio::select! {
            () = accepting => {}
            _ = term.recv() => {}
            _ = int.recv() => {}
        }
        service.stop();
        // New requests are refused until the old ones are answered.
        let ended = async {
            while service.metrics.running.get() > 0 || service.metrics.waiting.get() > 0 {
                sleep(Duration::from_millis(10)).await;
            }
        };
        let limit = Duration::from_secs(STOP_SECONDS);
        tokio::select! {
            () = accept(&listener, &service, &open) => {}
            _ = timeout(limit, ended) => {}
        }
        // Answers go out, idle connections are closed.
        let _ = timeout(Duration::from_millis(800), open.shutdown()).await;
        io::Result::Ok(())
    })?;
    runtime.shutdown_timeout(Duration::from_millis(100));
    Ok(())
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4(),
        SocketAddr::V6(_) => TcpSocket::new_v6(),
    }?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

async fn accept(listener: &TcpListener, service: &Arc<ServiceState>, open: &GracefulShutdown) {
    let places = Arc::new(Semaphore::new(service.limits.connections));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(HEAD_SECONDS))
        .max_buf_size(HEAD);
    let router = router(service.clone());
    loop {
        let Ok((mut stream, _)) = listener.accept().await else {
            // Too many open files: others end, then there is room again.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        let Ok(place) = places.clone().try_acquire_owned() else {
            let _ = stream.try_write(FULL);
            let _ = timeout(Duration::from_millis(1), stream.shutdown()).await;
            continue;
        };
        let counted = Counted::new(&service.metrics.connections);
        let (served, own) = (TowerToHyperService::new(router.clone()), service.clone());
        let served = service_fn(move |mut request: Request<Incoming>| {
            if !own.prefix.is_empty() {
                strip_prefix(&own.prefix, request.uri_mut());
            }
            served.call(request)
        });
        let connection = http.serve_connection(TokioIo::new(timed(stream)), served);
        let connection = open.watch(connection);
        tokio::spawn(async move {
            // What goes wrong on a connection is its client's.
            let _ = connection.await;
            drop((place, counted));
        });
    }
}

/// A connection that ends when the other side takes nothing any more.
fn timed(stream: TcpStream) -> std::pin::Pin<Box<TimeoutStream<TcpStream>>> {
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(Duration::from_secs(STALL_SECONDS)));
    Box::pin(stream)
}
