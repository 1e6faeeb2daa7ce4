//! How each number of a cold start is measured: the command, where it runs, and how its result becomes the field.
//!
//! Commands use only options that the tools document: fio, llama-bench and llama-tokenize of llama.cpp, iperf3, iw, ping,
//! nvidia-smi and free. Words in capitals stand for what the reader has: MODEL.gguf, HOST, PROMPT.txt.

use engine::scenario::Scenario;
use engine::scenario::ranges::SpanInput;
use engine::units::{NARROW, rate_mbit, rounded};

/// How a number is measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HowToMeasure {
    /// Where the command runs: a device's name, or "any machine".
    pub on: String,
    /// The command; empty where nothing measures it.
    pub command: String,
    /// How its result becomes the field.
    pub then: String,
}

/// The work of the whole model for one token of the prompt [GFLOP], and its weights [GB].
fn sizes(scenario: &Scenario) -> (f64, f64) {
    let layers = scenario.model.layers_at(scenario.prompt_tokens);
    let work: f64 = layers.iter().map(|layer| layer.work).sum();
    let weights: f64 = layers.iter().map(|layer| layer.weights).sum();
    (work / scenario.prompt_tokens / 1e9, weights / 1e9)
}

/// A number with three digits that count.
fn three(value: f64) -> String {
    rounded(value, 3).to_string()
}

/// Rates that the scenario derives for a device, up and down [bit/s]; `None` where it has none.
fn rates(scenario: &Scenario, device: Option<usize>) -> Option<(f64, f64)> {
    let at = device?;
    let machine = scenario.switched_on().position(|(place, _)| place == at)?;
    let problem = scenario.problem().ok()?;
    let machine = problem.machines().get(machine)?;
    Some((machine.up.get(), machine.down.get()))
}

/// How a number of the scenario is measured.
#[must_use]
pub fn measure(scenario: &Scenario, input: &SpanInput) -> HowToMeasure {
    let place = &input.place;
    let on = match place.device {
        Some(at) => match scenario.devices.get(at).map(|d| d.name.trim()) {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("D{}", at + 1),
        },
        None => "any machine".to_owned(),
    };
    let (command, then) = method(scenario, input);
    HowToMeasure { on, command, then }
}

/// The command and what is done with its result.
fn method(scenario: &Scenario, input: &SpanInput) -> (String, String) {
    let tokens = scenario.prompt_tokens;
    let (work, weights) = sizes(scenario);
    let device = input.place.device.and_then(|at| scenario.devices.get(at));
    let used = device.map(|d| {
        let hardware = engine::hardware::DeviceHardware::from(d);
        hardware.utilisation(tokens)
    });
    let derived = |up: bool| {
        let rates = rates(scenario, input.place.device);
        match rates {
            Some(rates) => {
                let rate = rate_mbit(if up { rates.0 } else { rates.1 });
                format!("now {rate}")
            }
            None => "shown under each device".to_owned(),
        }
    };
    let fit_rate = |up: bool| {
        let way = if up { "uplink" } else { "downlink" };
        format!(
            "HOST is wired to the access point. Change the field until the {way} that Edgewise derives ({}) is the bitrate \
             that the receiver reports.",
            derived(up)
        )
    };
    let up = "iperf3 -c HOST -t 20";
    let down = "iperf3 -c HOST -t 20 -R";
    let (command, then): (String, String) = match input.place.field() {
        "r_mb_s" => (
            "fio --name=load --filename=MODEL.gguf --readonly --rw=read --bs=1M --direct=1 --ioengine=libaio --iodepth=8"
                .into(),
            "The field is the bandwidth in MB/s of the line READ: fio prints MiB/s first and MB/s in brackets.".into(),
        ),
        "disk_j_per_gb" => (
            "fio --name=load --filename=MODEL.gguf --readonly --rw=read --bs=1M --direct=1 --ioengine=libaio --iodepth=8 --loops=20"
                .into(),
            "With a power meter at the socket: the watts above those of the idle device, divided by the bandwidth of the line READ in GB/s."
                .into(),
        ),
        "c_peak_tflops" => {
            let factor = used.filter(|u| *u > 0.0).map_or(0.0, |u| work / 1e3 / u);
            (
                format!("llama-bench -m MODEL.gguf -p {tokens} -n 0 -ngl 99"),
                format!(
                    "Multiply tokens per second by the work per token of this model, {} GFLOP, and divide by the \
                     utilisation at this prompt, {}: the field is t/s × {}.",
                    three(work),
                    three(used.unwrap_or(0.0)),
                    three(factor)
                ),
            )
        }
        "a" | "b" => (
            "llama-bench -m MODEL.gguf -p 128,256,512,1024,2048,4096,8192 -n 0 -ngl 99".into(),
            format!(
                "Tokens per second times {} GFLOP, divided by the peak, is the utilisation at each length: a is its limit, \
                 and 1/b the length at which it reaches 63{NARROW}% of that.",
                three(work)
            ),
        ),
        "m_gb" => (
            "nvidia-smi --query-gpu=memory.free --format=csv || free -b".into(),
            "On a GPU the free memory in MiB: type it with its unit. Otherwise the column \u{201c}available\u{201d} of free, in bytes.".into(),
        ),
        "bandwidth_gb_s" => (
            "llama-bench -m MODEL.gguf -p 0 -n 128 -ngl 99".into(),
            format!(
                "Tokens per second times the size of the file in GB ({} for this model), if it is dense: that is what decoding \
                 reaches, so the share of the memory rate is then 1.",
                three(weights)
            ),
        ),
        "prefill_tflops" | "attention_tflops" => (
            "llama-bench -m MODEL.gguf -p 512,4096 -n 0 -ngl 99".into(),
            "Tokens per second of the short prompt times the work of a token, two FLOP for each parameter; what the long prompt \
             takes longer is attention."
                .into(),
        ),
        "batch_us" => (
            "llama-bench -m MODEL.gguf -p 16,512 -n 0 -ngl 99".into(),
            "The time of the short prompt less its share of the long one\u{2019}s, divided by the layers.".into(),
        ),
        "memory_share" => (
            "llama-bench -m MODEL.gguf -p 0 -n 128 -ngl 99".into(),
            format!(
                "Tokens per second times the size of the file in GB ({} for this model), divided by the memory rate: of the \
                 largest model that fits, because small ones wait for their layers.",
                three(weights)
            ),
        ),
        "decode_tflops" => (
            "llama-bench -m MODEL.gguf -p 0 -n 128 -ngl 0".into(),
            "Tokens per second times the work of a token, two FLOP for each parameter, where a token waits for arithmetic.".into(),
        ),
        "layer_us" => (
            "llama-bench -m LARGE.gguf,SMALL.gguf -p 0 -n 128 -ngl 99".into(),
            "Of each model the seconds per token, less its gigabytes divided by the memory rate that the large one reaches; \
             divided by its layers, the small one gives the field."
                .into(),
        ),
        "host_factor" => (
            "llama-bench -m SMALL.gguf -p 0 -n 128 -ngl 99".into(),
            "The same card in another host, or `nsys profile` of both: time between the launches of kernels over that of a usual host."
                .into(),
        ),
        "token_ms" => (
            "llama-bench -m MODEL.gguf -p 0 -n 128 -ngl 99 -v".into(),
            "The time of sampling for each token, as the runtime prints it.".into(),
        ),
        "pu_dbm" | "d_m" => (up.into(), fit_rate(true)),
        "pd_dbm" => (down.into(), fit_rate(false)),
        "mu" => (
            up.into(),
            format!(
                "HOST is wired to the access point. The field times the measured bitrate over the uplink that Edgewise derives \
                 ({}).",
                derived(true)
            ),
        ),
        "B_mhz" => (
            "iw dev".into(),
            "The width of the channel, in MHz, of the interface that is connected.".into(),
        ),
        "N0_dbm_hz" => (
            "iw dev wlan0 survey dump".into(),
            "The noise of the channel in use, in dBm, minus 10 log10 of its width in Hz: 82.0 for 160 MHz, 79.0 for 80 MHz."
                .into(),
        ),
        "beta0_db" | "d0_m" => (
            "iw dev wlan0 link".into(),
            "At the reference distance: the signal in dBm minus the transmit power of the access point.".into(),
        ),
        "zeta" => (
            "iw dev wlan0 link".into(),
            "At two distances: the difference of the signals in dB over 10 log10 of the ratio of the distances.".into(),
        ),
        "prompt_tokens" => (
            "llama-tokenize -m MODEL.gguf -f PROMPT.txt --show-count".into(),
            "The total number of tokens.".into(),
        ),
        "answer_tokens" => (
            "llama-tokenize -m MODEL.gguf -f ANSWER.txt --show-count".into(),
            "The total number of tokens in a typical answer.".into(),
        ),
        "hop_ms" => (
            "ping -c 20 HOST".into(),
            "From one device to another: half of the average round trip.".into(),
        ),
        "requests" => (
            "curl http://HOST:8080/metrics".into(),
            "llamacpp:requests_processing of a llama-server started with --metrics, while it is busy.".into(),
        ),
        "d_model" | "h_q" | "h_k" | "d_head" | "d_ff" => (
            "edgewise model config.json".into(),
            "The model file gives the exact value.".into(),
        ),
        _ => (
            String::new(),
            "A requirement, not a measurement.".into(),
        ),
    };
    (command, then)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::scenario::Device;
    use engine::scenario::fields::NumberFields;
    use engine::scenario::presets::paper;

    #[test]
    fn every_number_has_a_way_to_be_measured() {
        let mut scenario = paper();
        scenario.devices[1].link = Some(engine::scenario::ChannelPart {
            B_mhz: Some(80.0),
            ..Default::default()
        });
        for number in Device::NUMBERS.iter().filter(|number| number.is_optional) {
            (number.set)(&mut scenario.devices[0], Some(number.field.max));
        }
        for input in scenario.inputs() {
            let how = measure(&scenario, &input);
            assert!(!how.then.is_empty(), "{}", input.label);
            let is_wish = input.place.field() == "least_tok_s";
            assert_eq!(how.command.is_empty(), is_wish, "{}", input.label);
            // One line that a shell can take.
            assert!(how.command.is_ascii() && !how.command.contains('\n'));
        }
    }

    #[test]
    fn a_measured_rate_gives_the_field_back() {
        // The device computes W(t) for t tokens at its effective rate; what llama-bench would then print, times the factor,
        // is the peak again.
        let scenario = paper();
        let inputs = scenario.inputs();
        let input = inputs
            .iter()
            .find(|i| i.place.device == Some(1) && i.place.key == "c_peak_tflops")
            .expect("a device computes");
        let how = measure(&scenario, input);
        assert_eq!(how.command, "llama-bench -m MODEL.gguf -p 256 -n 0 -ngl 99");
        let factor = how.then.rsplit("× ").next().expect("a factor");
        let factor: f64 = factor.trim_end_matches('.').parse().expect("a number");
        let problem = scenario.problem().expect("a problem");
        let work: f64 = problem.layers().iter().map(|l| l.work.get()).sum();
        let tokens_a_second = 256.0 * problem.machines()[1].compute.get() / work;
        assert!(
            (tokens_a_second * factor / 70.0 - 1.0).abs() < 0.01,
            "{factor}"
        );
        assert_eq!(how.on, "D2");
    }
}
