import type { Filter } from 'supple-collision';
import { byId, counted, grouped, milliseconds } from './dom';
import { Cancelled, start, type Task } from './task';
import type { Compared, Posed } from './worker';

/** A frame as it is shown: what was found in it, and what to call it. */
export interface Frame {
  bodies: Posed[];
  filter?: Filter;
  pairs: Uint32Array;
  words: string;
}

/** A button that asks brute force for the same frame, in a worker, and says whether both agree. */
export class Comparison {
  private task: Task<Compared> | undefined;
  private readonly button: HTMLButtonElement;
  private readonly result: HTMLElement;

  constructor(name: string, private readonly frame: () => Frame) {
    this.button = byId(`${name}-compare`);
    this.result = byId(`${name}-compared`);
    this.button.addEventListener('click', () => (this.task ? this.cancel() : void this.compare()));
  }

  cancel(): void {
    this.task?.cancel();
  }

  forget(): void {
    this.cancel();
    this.result.textContent = '';
    this.result.className = 'result';
  }

  private async compare(): Promise<void> {
    const { bodies, filter = {}, pairs, words } = this.frame();
    this.task = start({ kind: 'compare', bodies, filter });
    this.button.textContent = 'Cancel brute force';
    this.result.className = 'result';
    this.result.textContent = `Brute force compares all triangles with all others: ${words} …`;
    try {
      const found = await this.task.answer;
      const isSame = equal(found.pairs, pairs);
      this.result.className = `result ${isSame ? 'good' : 'bad'}`;
      this.result.textContent = `${isSame ? 'They agree' : 'They differ'}: brute force finds ${counted(found.pairs.length / 2, 'pair')}, `
        + `supple ${grouped(pairs.length / 2)} (${words}). Comparing all triangles with all others took ${milliseconds(found.bruteMilliseconds)}, `
        + `supple ${milliseconds(found.suppleMilliseconds)}.`;
    } catch (error) {
      this.result.textContent = error instanceof Cancelled ? 'Cancelled.' : `Brute force failed: ${(error as Error).message}`;
    } finally {
      this.task = undefined;
      this.button.textContent = 'Compare with brute force';
    }
  }
}

/** Both are sorted. */
function equal(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((number, i) => number === b[i]);
}
