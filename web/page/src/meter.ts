/** What a frame spends its time on. */
export type Part = 'pose' | 'ask' | 'vertices' | 'light' | 'draw' | 'frame';

/** So many frames are averaged: clocks of browsers are coarse, and numbers that jump are not read. */
const FRAMES = 60;

/** Times of the last frames. */
export class Meter {
  private readonly times = new Map<Part, number[]>();
  private readonly current = new Map<Part, number>();

  /** Does something and takes its time. What a frame does twice is added up. */
  time<T>(part: Part, work: () => T): T {
    const start = performance.now();
    const result = work();
    this.add(part, performance.now() - start);
    return result;
  }

  add(part: Part, time: number): void {
    this.current.set(part, (this.current.get(part) ?? 0) + time);
  }

  /** The frame is over. */
  next(): void {
    for (const [part, time] of this.current) {
      const times = this.times.get(part) ?? [];
      this.times.set(part, times);
      times.push(time);
      if (times.length > FRAMES) times.shift();
    }
    this.current.clear();
  }

  /**
   * Milliseconds of a frame; not a number where nothing was measured. The slowest fifth is left out: in these the browser compiled or
   * collected something.
   */
  mean(part: Part): number {
    const times = (this.times.get(part) ?? []).toSorted((a, b) => a - b);
    const counted = times.slice(0, Math.ceil(0.8 * times.length));
    return counted.reduce((sum, time) => sum + time, 0) / counted.length;
  }

  frames(part: Part): number {
    return this.times.get(part)?.length ?? 0;
  }

  /** A new question, a new character: old times say nothing. */
  forget(): void {
    this.times.clear();
    this.current.clear();
  }
}
