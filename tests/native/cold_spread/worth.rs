//! What knowing an input is worth, and its share of the variance, for costs whose integrals are known.

use engine::sim::{Draw, Strata};

fn inputs(count: usize) -> Vec<[f64; 2]> {
    let mut draw = Draw::new(5, 0);
    (0..count).map(|_| [draw.unit(), draw.unit()]).collect()
}

fn column(inputs: &[[f64; 2]], at: usize) -> Vec<f64> {
    inputs.iter().map(|row| row[at]).collect()
}

#[test]
fn variance_of_a_sum_is_shared_by_the_squares_of_its_slopes() {
    // y = 3a + b: variances as 9 to 1. An input that is not in it explains nothing.
    let drawn = inputs(4096);
    let y: Vec<f64> = drawn.iter().map(|[a, b]| 3.0 * a + b).collect();
    let share = |at| Strata::of(&column(&drawn, at), 16).variance_share(&y);
    let (a, b) = (share(0).expect("it varies"), share(1).expect("it varies"));
    // In 4096 draws a and b are correlated by about a 64th, which moves the small share by a tenth of itself: three times
    // that is allowed.
    assert!((a - 0.9).abs() < 0.03 && (b - 0.1).abs() < 0.03, "{a} {b}");
    let other = column(&inputs(8192)[4096..], 0);
    let none = Strata::of(&other, 16).variance_share(&y);
    assert!(none.expect("it varies") < 0.01);
    let flat = vec![2.5; 4096];
    assert_eq!(Strata::of(&other, 16).variance_share(&flat), None);
}

#[test]
fn worth_of_knowing_what_decides_is_the_integral() {
    // Costs a and 1/2 for a uniform on 0 to 1: 1/2 without knowing, the mean of min(a, 1/2) = 3/8 with it.
    // What b adds to both changes nothing about the choice.
    let drawn = inputs(4096);
    let costs = vec![
        drawn.iter().map(|[a, b]| a + 5.0 * b).collect::<Vec<f64>>(),
        drawn.iter().map(|[_, b]| 0.5 + 5.0 * b).collect(),
    ];
    let worth = |at| {
        Strata::of(&column(&drawn, at), 16)
            .worth(&costs)
            .expect("two choices")
    };
    let (a, b) = (worth(0), worth(1));
    assert!((a.mean - 0.125).abs() < 0.006, "{a:?}");
    assert!(a.mean <= a.most && a.error < 0.003 && a.is_something(0.5));
    assert!(b.mean <= b.most && !b.is_something(0.5), "{b:?}");
    // A choice that is always least leaves nothing to be known.
    let one = [vec![1.0; 4096], vec![2.0; 4096]];
    let nothing = Strata::of(&column(&drawn, 0), 16)
        .worth(&one)
        .expect("choices");
    assert_eq!((nothing.mean, nothing.error, nothing.most), (0.0, 0.0, 0.0));
}

#[test]
fn judging_by_other_samples_is_honest_where_only_chance_decides() {
    // Five choices of equal cost but for noise: the truth is 0 for every input.
    let (mut flattered, mut honest) = (0.0, 0.0);
    for seed in 0..40 {
        let mut draw = Draw::new(seed, 3);
        let values: Vec<f64> = (0..512).map(|_| draw.unit()).collect();
        let costs: Vec<Vec<f64>> = (0..5)
            .map(|_| (0..512).map(|_| draw.unit()).collect())
            .collect();
        let worth = Strata::of(&values, 16).worth(&costs).expect("choices");
        flattered += worth.most / 40.0;
        honest += worth.mean / 40.0;
    }
    assert!(flattered > 0.03, "{flattered}");
    assert!(honest < 0.005, "{honest}");
}
