//! Format 1 of the scenario, read only: links and files from before models could be tables and devices be
//! switched off. What it says is said in the present format with the same numbers.

use super::{Channel, ChannelPart, Device, Dimensions, FORMAT, Model, Question, Ranges, Scenario};
use crate::hardware;
use crate::network::Relay;
use crate::problem::{HeuristicReading, Invalid, json};
use serde::Deserialize;

/// The version of the format that is read here.
pub(super) const FORMAT_1: u32 = 1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario1 {
    #[serde(rename = "format")]
    _format: u32,
    question: Question,
    title: String,
    model: Dimensions,
    prompt_tokens: f64,
    channel: Channel,
    relay: Relay,
    heuristic: HeuristicReading,
    devices: Vec<Device1>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Device1 {
    name: String,
    c_peak_tflops: f64,
    a: f64,
    b: f64,
    r_mb_s: f64,
    m_gb: f64,
    pu_dbm: f64,
    pd_dbm: f64,
    d_m: f64,
    link: Option<ChannelPart>,
}

/// Reads a document of format 1. Its numbers have not been checked against the ranges of the page.
///
/// # Errors
/// As [`json::read`].
pub(super) fn read(text: &str, objects: &[&str]) -> Result<Scenario, Invalid> {
    let old: Scenario1 = json::read(text, objects)?;
    Ok(Scenario {
        format: FORMAT,
        question: old.question,
        title: old.title,
        model: Model::Dimensions(old.model),
        prompt_tokens: old.prompt_tokens,
        channel: old.channel,
        relay: old.relay,
        heuristic: old.heuristic,
        devices: old.devices.into_iter().map(device).collect(),
        decode: None,
        memory: None,
        loading: None,
        ranges: Ranges::new(),
    })
}

fn device(old: Device1) -> Device {
    let hardware = hardware::DeviceHardware {
        peak_tflops: old.c_peak_tflops,
        util_limit: old.a,
        util_rate: old.b,
        disk_mb_s: old.r_mb_s,
        memory_gb: old.m_gb,
        uplink_dbm: old.pu_dbm,
        downlink_dbm: old.pd_dbm,
        distance_m: old.d_m,
    };
    Device {
        link: old.link,
        ..Device::from_hardware(&old.name, &hardware)
    }
}
