//! Why no placement exists, and the least memory with which one would: by hand, and by trying.

use super::tiny;
use crate::cases::cases;
use crate::heads_made::{Case, small};
use crate::instances::Draw;
use engine::solve::{NoPlan, NoProgress};
use methods::heads::{Cause, Infeasible, Part, Repair, brute, solve};

#[track_caller]
fn proof(case: &Case) -> Infeasible {
    match solve(&case.problem(), &mut NoProgress) {
        Err(NoPlan::Infeasible(proof)) => proof,
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_cause_has_its_name() {
    // Heads need 40 bytes each, proj 8 and ffn 32: 120 in all.
    let of = |memory: &[f64]| proof(&tiny(&[100.0, 50.0], memory, None));
    let block = |part, need, have| Cause::Block { part, need, have };
    assert_eq!(of(&[20.0, 31.0]).cause, block(Part::Ffn, 32.0, 31.0));
    assert_eq!(of(&[7.0, 39.0]).cause, block(Part::Head, 40.0, 39.0));
    let total = of(&[60.0, 59.0]);
    assert_eq!(
        total.cause,
        Cause::TotalMemory {
            need: 120.0,
            have: 119.0
        }
    );
    // 40 + 8 and 40 + 32.
    let repair = |device, memory, more| Repair {
        device,
        memory,
        more,
    };
    assert_eq!(
        total.repairs,
        [repair(0, 72.0, 12.0), repair(1, 72.0, 13.0)]
    );
    assert!(
        total
            .to_string()
            .ends_with("12 bytes more on device 0 alone would be enough"),
        "{total}"
    );
    let packing = of(&[71.0, 71.0]);
    let cause = Cause::Packing {
        need: 120.0,
        have: 142.0,
    };
    assert_eq!(packing.cause, cause);
    assert_eq!(packing.repairs[0], repair(0, 72.0, 1.0));

    let mut idle = tiny(&[0.0, 0.0], &[1e3; 2], None);
    let none = proof(&idle);
    assert_eq!((&none.cause, none.repairs.len()), (&Cause::Compute, 0));
    idle.interval.compute[1] = 5.0;
    idle.rates[0][1] = 0.0;
    // The only device that computes does not get the input.
    assert_eq!(proof(&idle).cause, Cause::Links);
    idle.rates[0][1] = 10.0;
    assert!(solve(&idle.problem(), &mut NoProgress).is_ok());

    // One device could compute all and has too little memory, the other has memory and no compute.
    let reach = proof(&tiny(&[100.0, 0.0], &[100.0, 1e3], None));
    assert_eq!(reach.cause, Cause::Reach);
    assert_eq!(reach.repairs, [repair(0, 120.0, 20.0)]);
}

#[test]
fn repairs_are_enough_and_less_is_not() {
    let (mut repaired, mut beyond) = (0, 0);
    for seed in 0..cases(700) {
        let case = small(&mut Draw::new(50_000 + seed));
        let problem = case.problem();
        let Err(NoPlan::Infeasible(proof)) = solve(&problem, &mut NoProgress) else {
            continue;
        };
        assert!(proof.to_string().len() > 20);
        let with = |device, memory| brute::best(&problem.clone().with_memory(device, memory));
        for device in 0..problem.devices() {
            let Some(repair) = proof.repairs.iter().find(|r| r.device == device) else {
                let all = case.needs().0;
                assert_eq!(
                    with(device, 2.0 * all),
                    None,
                    "seed {seed}, device {device}"
                );
                beyond += 1;
                continue;
            };
            assert!(
                with(device, repair.memory).is_some(),
                "seed {seed}: {repair:?}"
            );
            assert_eq!(
                with(device, repair.memory * (1.0 - 1e-6)),
                None,
                "seed {seed}: {repair:?}"
            );
            assert!(repair.more > 0.0);
            repaired += 1;
        }
        let unlimited = (0..problem.devices()).fold(problem.clone(), |all, j| {
            all.with_memory(j, 2.0 * case.needs().0)
        });
        let by_time = matches!(proof.cause, Cause::Compute | Cause::Links);
        assert_eq!(brute::best(&unlimited).is_none(), by_time, "seed {seed}");
    }
    assert!(repaired > 200 && beyond > 50, "{repaired} {beyond}");
}
