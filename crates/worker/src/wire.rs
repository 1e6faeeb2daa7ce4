//! Messages of the browser. Page and worker share this file, and the tests of both.

use protocol::worker::Codec;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

/// A value of the browser, which goes into a message as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Js(#[serde(with = "serde_wasm_bindgen::preserve")] pub JsValue);

/// How values cross.
pub struct Messages;

impl Codec for Messages {
    type Value = Js;

    #[inline(never)] // it is large, and is asked for in several places
    fn write(it: &impl Serialize) -> Result<Js, String> {
        let value = serde_wasm_bindgen::to_value(it).map(Js);
        value.map_err(|fault| fault.to_string())
    }

    #[inline(never)]
    fn read<T: DeserializeOwned>(value: Js) -> Result<T, String> {
        serde_wasm_bindgen::from_value(value.0).map_err(|fault| fault.to_string())
    }
}
