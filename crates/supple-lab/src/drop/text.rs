//! What a simulation took, as text.

use std::time::Duration;

use supple_cli::table::{Side, Table, counted, grouped};
use supple_drop::{Cast, Contest, Energy, SceneKind, Side as ContestSide, Statistics, World};

const MEANING: &str = "
  pose         milliseconds per step to set the poses of all bodies
  broad phase  to find pairs of bodies whose bounds overlap
  refit        to compute bounds in the walks, as told apart by asking twice (--help)
  traversal    to compare bounds in the walks
  response     to turn contacts into impulses, and to move on
";

/// What is left of a world when it is over.
pub struct Run {
    flexible: bool,
    statistics: Statistics,
    /// At the start and at the end.
    energy: [Energy; 2],
    seconds: f64,
    memory: usize,
}

impl Run {
    /// After the last step.
    pub fn new(world: &World, start: Energy) -> Self {
        Self {
            flexible: !world.cast().prop().frequencies().is_empty(),
            statistics: *world.statistics(),
            energy: [start, world.energy()],
            seconds: world.time(),
            memory: world.memory_bytes(),
        }
    }

    fn name(&self) -> String {
        if self.flexible { "flexible" } else { "rigid" }.to_owned()
    }
}

/// What falls.
pub fn introduction(cast: &Cast, count: usize, runs: &[Run]) -> String {
    let prop = cast.prop();
    let mesh = prop.model().mesh();
    let frequencies = prop.frequencies();
    let modes = match (frequencies.first(), frequencies.last()) {
        (Some(low), Some(high)) => {
            format!(", {} of {low:.1} to {high:.1} Hz", counted(frequencies.len(), "mode"))
        }
        _ => String::new(),
    };
    let mut text = format!(
        "{}, {} of {:.1} kg\n{} each{modes}\ncontacts at level {} of the tree: {}\n",
        cast.kind(),
        counted(count, "body").replace("bodys", "bodies"),
        prop.mass(),
        counted(mesh.triangles().len(), "triangle"),
        prop.level(),
        counted(prop.pieces(), "ball"),
    );
    if let Some(backdrop) = cast.backdrop() {
        let triangles = backdrop.model().mesh().triangles().len();
        text += &format!("backdrop: {}, exact\n", counted(triangles, "triangle"));
    }
    if let Some(run) = runs.first() {
        let steps = counted(run.statistics.steps, "step");
        text += &format!("{:.2} seconds in {steps}\n", run.seconds);
    }
    text + "\n"
}

/// A row per run, and their ratio.
pub fn runs(kind: SceneKind, runs: &[Run]) -> String {
    let columns = ["", "pose", "broad phase", "refit", "traversal", "response", "ms/step", "contacts/s"];
    let sides = [Side::Left].into_iter().chain([Side::Right; 7]);
    let mut table = Table::new(&columns.into_iter().zip(sides).collect::<Vec<_>>());
    for run in runs {
        let statistics = &run.statistics;
        let each = |time: Duration| format!("{:.2}", milliseconds(time) / statistics.steps as f64);
        table.row([
            run.name(),
            each(statistics.posing),
            each(statistics.broad_phase),
            each(statistics.refits()),
            each(statistics.walks()),
            each(statistics.response),
            each(statistics.total()),
            grouped((statistics.contacts as f64 / statistics.total().as_secs_f64().max(1e-9)) as usize),
        ]);
    }
    let mut text = table.text(runs.len());
    text.push('\n');
    for run in runs {
        let Statistics { steps, pairs, contacts, queries, .. } = run.statistics;
        let each = |count: usize| grouped((count as f64 / steps as f64).round() as usize);
        let [start, end] = run.energy;
        text += &format!(
            "  {:<8}  {} pairs near, {} contacts, {} visits, {} refits per step\n",
            run.name(),
            each(pairs),
            each(contacts),
            each(queries.node_visits as usize),
            each(queries.refits as usize),
        );
        text += &format!(
            "            energy {} at the start, {} at the end ({} moving); bodies take {:.1} MB\n",
            joules(start.total()),
            joules(end.total()),
            joules(end.kinetic),
            run.memory as f64 / 1e6,
        );
    }
    text += MEANING;
    if let [flexible, rigid] = runs {
        let ratio =
            milliseconds(flexible.statistics.total()) / milliseconds(rigid.statistics.total()).max(1e-9);
        let contacts = flexible.statistics.contacts as f64 / rigid.statistics.contacts.max(1) as f64;
        text += &format!("\nflexible / rigid: {ratio:.2} in time, {contacts:.2} in contacts");
        // 2.1 and 1.1 seconds per step, 1.6 and 1.1 billion contacts.
        text += if kind == SceneKind::Chairs { " (3,601 chairs of the paper: 1.9 and 1.5)\n" } else { "\n" };
    }
    text
}

/// Table 2 of the paper.
pub fn contest(contest: &Contest) -> String {
    let columns = ["", "tests", "refits", "vertices", "total", "per frame"];
    let sides = [Side::Left].into_iter().chain([Side::Right; 5]);
    let mut table = Table::new(&columns.into_iter().zip(sides).collect::<Vec<_>>());
    let mut row = |name: &str, side: &ContestSide| {
        table.row([
            name.to_owned(),
            grouped(side.tests as usize),
            grouped(side.refits as usize),
            grouped(side.vertices as usize),
            format!("{:.2} ms", milliseconds(side.time)),
            format!("{:.4} ms", milliseconds(side.time) / contest.frames as f64),
        ]);
    };
    row("on demand", &contest.on_demand);
    row("layered", &contest.layered);
    let paper = |name: &str, tests: usize, total: &str, each: &str| {
        [name.to_owned(), grouped(tests), String::new(), String::new(), total.to_owned(), each.to_owned()]
    };
    table.row(paper("paper: BD-Tree", 3890, "2.4 ms", "0.022 ms"));
    table.row(paper("paper: layered", 2150, "5400 ms", "49 ms"));
    format!(
        "\n{}, {} of them in contact\n\n{}\n  on demand  bounds from the curtain's fields, where the ball looks\n  layered    all vertices posed, all bounds refitted from below; then the same walk\n\nlayered / on demand: {:.0} in time\n",
        counted(contest.frames, "frame"),
        contest.touching,
        table.text(4),
        milliseconds(contest.layered.time) / milliseconds(contest.on_demand.time).max(1e-9),
    )
}

fn joules(energy: f64) -> String {
    if energy < 1000.0 { format!("{energy:.1} J") } else { format!("{} J", grouped(energy.round() as usize)) }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
