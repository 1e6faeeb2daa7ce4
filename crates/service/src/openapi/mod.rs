//! The description of the service for programs and for people.

use axum::Router;

/// The paths of the description.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
}
