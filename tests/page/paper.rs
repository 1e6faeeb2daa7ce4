//! What the paper prints for its four devices: the table that the page has to show, digit by digit.

/// A prompt length, the answers with their gains, and the plan in running order.
pub struct Printed {
    /// Prompt tokens.
    pub tokens: &'static str,
    /// The dynamic program's answer [s].
    pub ours: &'static str,
    /// One device alone, over which nothing is gained: it does not hold the model.
    pub single: &'static str,
    /// Even split, and the gain over it [%].
    pub even: &'static str,
    /// The heuristic, and the gain over it [%].
    pub heuristic: &'static str,
    /// Devices with their numbers of layers.
    pub plan: &'static str,
}

/// All six rows.
pub const TABLE: [Printed; 6] = [
    Printed {
        tokens: "256",
        ours: "2.5620",
        single: "6.1289",
        even: "3.6119 (29.07)",
        heuristic: "2.8097 (8.82)",
        plan: "D3 7, D4 5, D1 15, D2 13",
    },
    Printed {
        tokens: "512",
        ours: "2.6577",
        single: "6.1910",
        even: "3.7004 (28.18)",
        heuristic: "2.9826 (10.89)",
        plan: "D3 7, D4 5, D1 14, D2 14",
    },
    Printed {
        tokens: "1024",
        ours: "2.8482",
        single: "6.3246",
        even: "3.9026 (27.02)",
        heuristic: "3.3621 (15.29)",
        plan: "D4 4, D3 7, D1 15, D2 14",
    },
    Printed {
        tokens: "2048",
        ours: "3.3376",
        single: "6.6303",
        even: "4.3881 (23.94)",
        heuristic: "4.2406 (21.29)",
        plan: "D4 3, D3 6, D2 12, D1 19",
    },
    Printed {
        tokens: "4096",
        ours: "4.4966",
        single: "7.3941",
        even: "6.4947 (30.77)",
        heuristic: "6.3366 (29.04)",
        plan: "D4 2, D3 4, D2 12, D1 22",
    },
    Printed {
        tokens: "8192",
        ours: "7.0291",
        single: "9.4616",
        even: "12.4483 (43.53)",
        heuristic: "11.1757 (37.10)",
        plan: "D3 3, D2 10, D1 27",
    },
];
