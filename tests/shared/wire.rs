//! Requests to the worker, and what it says, without a browser between.

use presenters::worker_tasks::handle;
use protocol::worker::{Codec, Payload, WorkerRequest, WorkerResponse, WorkerTask};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::io;

/// Values cross as JSON: whoever asks this way asks nothing whose answer is infinite.
pub struct Json;

impl Codec for Json {
    type Value = Value;

    fn write(it: &impl Serialize) -> Result<Value, String> {
        serde_json::to_value(it).map_err(|fault| fault.to_string())
    }

    fn read<T: DeserializeOwned>(value: Value) -> Result<T, String> {
        serde_json::from_value(value).map_err(|fault| fault.to_string())
    }
}

/// A request for errands of one kind.
pub fn request<E: WorkerTask>(id: u32, scenario: &E::Scenario, asks: &[E]) -> WorkerRequest<Value> {
    WorkerRequest {
        id,
        kind: E::KIND.to_owned(),
        first: false,
        scenario: scenario.send::<Json>().expect("a scenario can go"),
        tasks: Json::write(&asks).expect("asks can go"),
    }
}

/// Everything that the worker says to a request.
pub fn replies(request: &WorkerRequest<Value>) -> Vec<WorkerResponse<Value>> {
    let mut heard = Vec::new();
    handle::<Json, _>(request.clone(), None::<io::Empty>, |reply| {
        heard.push(reply);
        true
    });
    heard
}
