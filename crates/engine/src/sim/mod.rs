//! Parts of discrete-event simulations: event queue, FIFO queues, reservable resources, outages, recorded timelines, portable
//! random numbers, arrivals, random networks, background load, and statistics of samples, of one quantity or of several choices
//! under uncertain inputs.
//!
//! Nothing here knows what is simulated: tasks, resources and lines are indices, time is a number of seconds that
//! a simulation carries itself. A simulation is a loop that takes the earliest [`EventKey`] off a [`EventQueue`], does what
//! the event means, and puts in what follows from it. It runs on one thread, without a clock, and the same seed
//! gives the same bits natively and in a browser.

mod arrivals;
mod background;
mod chance;
mod discrete;
mod draw;
mod fleet;
pub mod law;
mod lines;
mod outages;
mod queue;
mod record;
mod resources;
mod samples;
mod sessions;
mod sketch;
mod stats;
mod store;
mod trace;
mod uncertainty;

pub use arrivals::poisson;
pub use background::{Background, Bursty, LoadShare, Loads};
pub use chance::{SplitMix, log_normal};
pub use discrete::Discrete;
pub use draw::Draw;
pub use fleet::{DrawnFleet, FleetRanges, MOST_DRAWN};
pub use lines::FifoQueues;
pub use outages::Outages;
pub use queue::{EventKey, EventQueue};
pub use record::{RecordWindow, Recorder, TimeSegment};
pub use resources::{Free, FreeRow, LAST_TOKEN, MOST_FREE_ROWS, Supply, read_free, write_free};
pub use samples::{Compact, HistogramBar, compact, histogram, pearson};
pub use sessions::Sessions;
pub use sketch::QuantileSketch;
pub use stats::{Spread, Summary, quantile};
pub use store::ReservableResource;
pub use trace::{MOST_ROWS, TraceRow, read_trace};
pub use uncertainty::{Strata, Worth, wilson};
