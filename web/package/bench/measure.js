// Clocks, medians, and how numbers are printed.

/** Median microseconds of `ask(frame)` after `prepare(frame)`, which is not counted; at most `seconds` long, but three times. */
export function measure(ask, prepare = () => {}, seconds = 1, frames = 60) {
  for (const frame of [0, 1]) {
    prepare(frame);
    ask(frame);
  }
  const times = [];
  const end = performance.now() + 1000 * seconds;
  for (let frame = 0; frame < frames && (frame < 3 || performance.now() < end); frame++) {
    prepare(frame);
    const start = performance.now();
    ask(frame);
    times.push(1000 * (performance.now() - start));
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
}

export const digits = (number) => (number >= 100 ? number.toFixed(0) : number >= 10 ? number.toFixed(1) : number.toFixed(2));
export const time = (us) => (us >= 1000 ? `${digits(us / 1000)} ms` : `${digits(us)} us`);

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
