import type { Answers, Asked, Told } from './worker';

/** Work that goes on elsewhere and can be ended at any time. */
export interface Task<T> {
  answer: Promise<T>;
  /** Ends the worker at once; the answer fails with `Cancelled`. */
  cancel(): void;
}

export class Cancelled extends Error {}

/** Starts a worker for one piece of work. */
export function start<A extends Asked>(asked: A, progress?: (done: number, total: number) => void): Task<Answers[A['kind']]> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  let cancel = () => {};
  const answer = new Promise<Answers[A['kind']]>((resolve, reject) => {
    cancel = () => reject(new Cancelled('cancelled'));
    worker.onmessage = ({ data }: MessageEvent<Told>) => {
      if ('progress' in data) progress?.(...data.progress);
      else if ('error' in data) reject(new Error(data.error));
      else resolve(data.answer as Answers[A['kind']]);
    };
    worker.onerror = event => {
      event.preventDefault();
      reject(new Error(event.message || 'the worker could not be started'));
    };
    worker.postMessage(asked);
  });
  return { answer: answer.finally(() => worker.terminate()), cancel };
}
