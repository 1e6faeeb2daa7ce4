//! A plain linear program solver, to compare with: the simplex method on a full table, in two phases, with the rule that
//! cannot go in circles. For a few dozen variables.

const HAIR: f64 = 1e-10;

struct Table {
    /// A row for every constraint, the right side last; then the row of the objective.
    rows: Vec<Vec<f64>>,
    basis: Vec<usize>,
}

impl Table {
    fn pivot(&mut self, row: usize, column: usize) {
        let by = self.rows[row][column];
        self.rows[row].iter_mut().for_each(|entry| *entry /= by);
        let pivot = self.rows[row].clone();
        for (other, entries) in self.rows.iter_mut().enumerate() {
            let factor = entries[column];
            if other != row && factor != 0.0 {
                for (entry, above) in entries.iter_mut().zip(&pivot) {
                    *entry -= factor * above;
                }
            }
        }
        self.basis[row] = column;
    }

    /// Makes the objective largest over the first `columns` columns; false if it has no end.
    fn climb(&mut self, columns: usize) -> bool {
        let last = self.rows.len() - 1;
        loop {
            // The first column that gains, and of the rows that end first the one with the first basic column.
            let Some(column) = (0..columns).find(|c| self.rows[last][*c] < -HAIR) else {
                return true;
            };
            let right = self.rows[last].len() - 1;
            let ratio = |row: usize| self.rows[row][right] / self.rows[row][column];
            let rows = (0..last).filter(|row| self.rows[*row][column] > HAIR);
            let leaving = rows.min_by(|a, b| {
                let ties = ratio(*a).total_cmp(&ratio(*b));
                ties.then(self.basis[*a].cmp(&self.basis[*b]))
            });
            match leaving {
                Some(row) => self.pivot(row, column),
                None => return false,
            }
        }
    }
}

/// The most that `c` x can be with `a` x <= `b` and x >= 0; `None` if nothing satisfies that.
pub(super) fn maximum(c: &[f64], a: &[Vec<f64>], b: &[f64]) -> Option<f64> {
    let (n, m) = (c.len(), b.len());
    // Variables, slacks, one artificial variable that is taken off every row, right side.
    let width = n + m + 2;
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for (k, row) in a.iter().enumerate() {
        let mut entries = row.clone();
        entries.resize(width, 0.0);
        entries[n + k] = 1.0;
        entries[n + m] = -1.0;
        entries[width - 1] = b[k];
        rows.push(entries);
    }
    let mut objective = vec![0.0; width];
    objective[n + m] = 1.0;
    rows.push(objective);
    let mut table = Table {
        rows,
        basis: (n..n + m).collect(),
    };
    let worst = (0..m).min_by(|x, y| b[*x].total_cmp(&b[*y]))?;
    if b[worst] < 0.0 {
        table.pivot(worst, n + m);
        assert!(table.climb(n + m + 1), "the first phase has an end");
        if table.rows[m][width - 1] < -1e-9 {
            return None;
        }
        if let Some(row) = table.basis.iter().position(|column| *column == n + m) {
            let column = (0..n + m).find(|c| table.rows[row][*c].abs() > HAIR);
            table.pivot(row, column.expect("a row with something in it"));
        }
    }
    for row in &mut table.rows {
        row[n + m] = 0.0;
    }
    let mut objective: Vec<f64> = c.iter().map(|gain| -gain).collect();
    objective.resize(width, 0.0);
    for row in 0..m {
        let factor = objective[table.basis[row]];
        if factor != 0.0 {
            for (entry, above) in objective.iter_mut().zip(&table.rows[row]) {
                *entry -= factor * above;
            }
        }
    }
    table.rows[m] = objective;
    assert!(table.climb(n + m), "budgets leave no way to infinity");
    Some(table.rows[m][width - 1])
}

#[test]
fn known_programs() {
    // 3x + 5y, x <= 4, 2y <= 12, 3x + 2y <= 18.
    let a = [vec![1.0, 0.0], vec![0.0, 2.0], vec![3.0, 2.0]];
    assert_eq!(maximum(&[3.0, 5.0], &a, &[4.0, 12.0, 18.0]), Some(36.0));
    // x + y with x + y >= 2 and x <= 1.
    let a = [vec![-1.0, -1.0], vec![1.0, 0.0], vec![0.0, 1.0]];
    assert_eq!(maximum(&[1.0, 1.0], &a, &[-2.0, 1.0, 3.0]), Some(4.0));
    assert_eq!(maximum(&[-1.0, -1.0], &a, &[-2.0, 1.0, 3.0]), Some(-2.0));
    assert_eq!(maximum(&[-1.0, -1.0], &a, &[-2.0, 1.0, 0.5]), None);
}
