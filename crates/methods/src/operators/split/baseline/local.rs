//! One device for everything.
//!
//! The figure of the paper is the mean over the devices (its section 4.6), each of which runs the whole graph by itself.

use crate::operators::split::SplitTask;
use engine::plan::{Marks, Partition};

/// Each device by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Local {
    /// How long each takes [ms].
    pub alone_ms: Vec<f64>,
    /// Their mean [ms].
    pub mean_ms: f64,
    /// The most memory that the executing device holds [bytes].
    pub peak_bytes: f64,
    /// Which of them hold that.
    pub fits: Vec<bool>,
}

impl Local {
    /// The quickest device that holds the graph, the first of equals; `None` if none does.
    #[must_use]
    pub fn quickest(&self) -> Option<usize> {
        let devices = self.alone_ms.iter().zip(&self.fits).enumerate();
        let fitting = devices.filter(|(_, (_, fits))| **fits);
        let least = fitting.min_by(|a, b| a.1.0.total_cmp(b.1.0));
        least.map(|(k, _)| k)
    }

    /// The plan of one device, convolutions along the dimensions of the task.
    ///
    /// # Complexity
    /// O(operators × devices).
    #[must_use]
    pub fn plan(&self, task: &SplitTask<'_>, device: usize) -> Partition {
        let dims = task.dims();
        let lengths = task.slices.lengths(&dims);
        let cuts = Marks::on_one(&lengths, self.alone_ms.len(), device);
        Partition { dims, cuts }
    }
}

/// Looks at each device by itself.
///
/// # Complexity
/// O(operators × devices).
#[must_use]
pub fn local(task: &SplitTask<'_>) -> Local {
    let slices = &task.slices;
    let alone = (0..slices.devices()).map(|k| {
        let each = (0..slices.graph().len()).map(|v| {
            let (base, slope) = slices.times(v);
            slices.fleet().compute_ms(k, base + slope)
        });
        each.sum()
    });
    let alone_ms: Vec<f64> = alone.collect();
    let steps = task.order.iter().zip(&task.trace.running);
    let held = steps.map(|(v, running)| {
        let v = *v as usize;
        let uncounted = slices.graph().op(v).w as f64 - slices.weights(v);
        *running as f64 - uncounted
    });
    let peak_bytes = held.fold(0.0, f64::max);
    let limits = slices.fleet().limits().iter();
    Local {
        mean_ms: alone_ms.iter().sum::<f64>() / alone_ms.len() as f64,
        fits: limits.map(|limit| peak_bytes <= *limit).collect(),
        alone_ms,
        peak_bytes,
    }
}
