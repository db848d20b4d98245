import { ready, Shape, type ClipInfo } from 'supple-collision';
import { start, type Task } from './task';

/** Where a character comes from. */
export type Source =
  | { kind: 'zoo'; name: string; detail: number }
  | { kind: 'file'; name: string; bytes: Uint8Array }
  | { kind: 'shape'; name: string; bytes: Uint8Array };

/** A shape that is ready for bodies, and its bytes for workers. */
export class Character {
  readonly triangles: Uint32Array;
  readonly clips: readonly ClipInfo[];
  readonly joints: readonly string[];

  constructor(readonly source: Source, readonly shape: Shape, readonly bytes: Uint8Array, readonly notes: readonly string[]) {
    this.triangles = shape.model.triangles();
    this.clips = shape.model.clips;
    this.joints = shape.model.joints;
  }

  get name(): string {
    return this.source.name;
  }

  get triangleCount(): number {
    return this.triangles.length / 3;
  }

  free(): void {
    this.shape.model.free();
    this.shape.free();
  }
}

/**
 * Reads a file or makes an animal, and builds its tree: in a worker, so that the page goes on, and so that a file on which the reader
 * stumbles takes only the worker with it.
 */
export function loadCharacter(source: Source): Task<Character> {
  const task = start({ kind: 'load', source });
  const answer = Promise.all([task.answer, ready()]).then(
    ([{ bytes, notes }]) => new Character(source, Shape.fromBytes(bytes), bytes, notes),
  );
  return { answer, cancel: task.cancel };
}

/** What a file is, by its name. */
export async function fileSource(file: File): Promise<Source> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { kind: /\.supple$/i.test(file.name) ? 'shape' : 'file', name: file.name, bytes };
}
