// What takes long: reading files, audits, brute force. One message, one answer; the page ends the worker afterwards.
import {
  audit, Body, bruteForce, collide, load, selfCollide, Shape, SuppleError, ready, zoo, type AuditResult, type Filter, type Place, type Skinning,
} from 'supple-collision';
import type { Source } from './character';

/** A body as the page has it. */
export interface Posed {
  bytes: Uint8Array;
  skinning: Skinning;
  /** No clip is the rest pose. */
  clip: string | undefined;
  seconds: number;
  place: Place;
}

export type Asked =
  | { kind: 'load'; source: Source }
  | { kind: 'audit'; bytes: Uint8Array; options: { fps: number; skinning: Skinning } }
  | { kind: 'compare'; bodies: Posed[]; filter: Filter };

export interface Answers {
  load: { bytes: Uint8Array; notes: readonly string[] };
  audit: AuditResult;
  compare: Compared;
}

/** One frame, asked both ways in the same thread. */
export interface Compared {
  pairs: Uint32Array;
  suppleMilliseconds: number;
  bruteMilliseconds: number;
}

export type Told = { progress: [number, number] } | { error: string } | { answer: Answers[keyof Answers] };

/** So many frames are asked for the time of one, since clocks of browsers are coarse; and so often, since the browser compiles meanwhile. */
const ROUNDS = 8;
const TIMES = 6;

const tell = (told: Told, transfer: Transferable[] = []) => postMessage(told, { transfer });

onmessage = async ({ data }: MessageEvent<Asked>) => {
  try {
    await ready();
    if (data.kind === 'load') await loaded(data.source);
    else if (data.kind === 'audit') {
      const shape = Shape.fromBytes(data.bytes);
      const result = audit(shape, data.options, (done, total) => {
        tell({ progress: [done, total] });
        return true;
      });
      tell({ answer: result });
    } else tell({ answer: compared(data.bodies, data.filter) });
  } catch (error) {
    tell({ error: inWords(error) });
  }
};

async function loaded(source: Source): Promise<void> {
  if (source.kind === 'shape') {
    // Read once here, so that a broken file is an error here.
    Shape.fromBytes(source.bytes).free();
    return tell({ answer: { bytes: source.bytes, notes: [] } });
  }
  const isZoo = source.kind === 'zoo';
  const model = isZoo ? await zoo(source.name, source.detail) : await load(source.bytes, { name: source.name });
  const bytes = model.shape().toBytes();
  tell({ answer: { bytes, notes: [...model.notes] } }, [bytes.buffer]);
}

function compared(bodies: Posed[], filter: Filter): Compared {
  const made = bodies.map(posed => new Body(Shape.fromBytes(posed.bytes), { skinning: posed.skinning }));
  const pose = () => made.forEach((body, i) => {
    const { clip, seconds, place } = bodies[i];
    if (clip === undefined) body.rest(place);
    else body.pose(clip, seconds, place);
  });
  const [a, b] = made;
  const rounds = () => {
    const start = performance.now();
    for (let round = 0; round < ROUNDS; round++) {
      pose();
      if (b) collide(a, b);
      else selfCollide(a, filter);
    }
    return (performance.now() - start) / ROUNDS;
  };
  const suppleMilliseconds = Math.min(...Array.from({ length: TIMES }, rounds));
  pose();
  const asked = performance.now();
  const pairs = b ? bruteForce.collide(a, b) : bruteForce.selfCollide(a, filter);
  return { pairs, suppleMilliseconds, bruteMilliseconds: performance.now() - asked };
}

/** Errors of the library are sentences. Anything else is a fault of the library, and says so. */
function inWords(error: unknown): string {
  if (error instanceof SuppleError) return error.message;
  if (error instanceof RangeError) return `there is not enough memory for this (${error.message})`;
  return `supple stopped in the middle, which is a fault of supple: ${error instanceof Error ? error.message : error}`;
}
