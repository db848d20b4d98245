/** How joints are blended: as engines do it, by dual quaternions, or about a common center. */
export type Skinning = "linear" | "dual" | "spherical";
export interface ClipInfo {
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
}
/** What a question cost: nodes looked at, bounds computed, triangles tested. */
export interface Stats {
  visits: number;
  refits: number;
  tests: number;
}

/**
 * Instantiates the WebAssembly: streaming, with SIMD where the engine has it, else without. load() and zoo() call it.
 * The first call decides from what; give a source where a bundler or a content policy needs it.
 */
export function ready(source?: URL | Response | BufferSource | WebAssembly.Module | Promise<Response>): Promise<void>;
/** Bytes of memory that the WebAssembly has taken so far. */
export function memoryBytes(): number;
/** Reads GLB, VRM, self-contained glTF (Draco and meshopt too) and OBJ. Throws a SuppleError that names the place in the file. */
export function load(bytes: ArrayBuffer | Uint8Array, options?: { name?: string }): Promise<Model>;
/** A character of supple's own; each detail has four times the triangles of the one before. */
export function zoo(name: string, detail?: number): Promise<Model>;
export const zooNames: readonly string[];
/** Everything that goes wrong, in words. */
export class SuppleError extends Error {}

declare class Handle {
  /** Frees memory; the second time it does nothing. Without it memory is freed when the object is collected. */
  free(): void;
  /** The same, for `using`, where the engine has it. */
  [Symbol.dispose](): void;
}

export interface Arrays {
  /** Three numbers per vertex. */
  positions: Float32Array;
  /** Three vertices per triangle. */
  triangles: Uint32Array | Uint16Array;
  skinIndices?: Uint16Array | Uint32Array;
  /** Normalised to a sum of 1 per vertex. */
  skinWeights?: Float32Array;
  /** 4 unless given. */
  jointsPerVertex?: number;
  /** As many as skinIndices name, unless given. */
  jointCount?: number;
  /** Displacements of all vertices, per morph target. */
  morphs?: Float32Array[];
}

/** What a file says. */
export class Model extends Handle {
  private constructor();
  /** Needs `await ready()` before. */
  static fromArrays(arrays: Arrays): Model;
  readonly vertexCount: number;
  readonly triangleCount: number;
  readonly joints: readonly string[];
  /** The joint above each joint, -1 where there is none. */
  readonly jointParents: Int32Array;
  readonly morphs: readonly string[];
  readonly clips: readonly ClipInfo[];
  /** What was odd in the file, and how it was handled. */
  readonly notes: readonly string[];
  positions(): Float32Array;
  triangles(): Uint32Array;
  /** Joints and weights of a vertex, the heaviest first. */
  weightsOf(vertex: number): [joint: number, weight: number][];
  /** Builds the tree: once per model, for any number of bodies. */
  shape(): Shape;
}

/** A model with its tree. */
export class Shape extends Handle {
  private constructor();
  static fromBytes(bytes: ArrayBuffer | Uint8Array): Shape;
  toBytes(): Uint8Array;
  readonly model: Model;
  /** Levels of the tree; the root alone is one. */
  readonly levels: number;
}

export interface Place {
  place?: ArrayLike<number>;
  /** A quaternion of length 1: x, y, z, w. */
  turn?: ArrayLike<number>;
}

/** An instance of a shape, in a pose. Posing costs O(joints); there is no refit call. */
export class Body extends Handle {
  constructor(shape: Shape, options?: { skinning?: Skinning });
  readonly shape: Shape;
  readonly skinning: Skinning;
  /** A clip at a time in seconds, held at both ends. */
  pose(clip: string, seconds: number, place?: Place): this;
  rest(place?: Place): this;
  /**
   * 16 numbers per joint, column after column, as three.js's skeleton.boneMatrices; coefficients of morphs, those at rest unless given. With `around`,
   * each becomes `before * matrix * after`.
   */
  setMatrices(
    matrices: ArrayLike<number> & (Float32Array | number[]),
    coefficients?: Float32Array | number[],
    around?: { before?: ArrayLike<number>; after?: ArrayLike<number> },
  ): this;
  /** Vertices that somebody else moved; costs O(vertices). */
  setVertices(vertices: Float32Array): this;
  /** All posed vertices; costs O(vertices). */
  vertices(out?: Float32Array): Float32Array;
  jointMatrices(): Float32Array;
  /** Of morphs. */
  coefficients(): Float32Array;
  /** The smallest box around all posed triangles: least corner, greatest corner. */
  bounds(): Float32Array;
  /**
   * Boxes of a level of the tree (the root is level 0) and of leaves above it, six numbers each; `computed[i]` is 1 where a question has
   * needed box `i` since the last pose.
   */
  boxes(level: number): { boxes: Float32Array; computed: Uint8Array };
  /** Bytes of memory that it takes, besides its shape. */
  readonly memoryBytes: number;
}

export interface RayHit {
  /** In units of the direction. */
  time: number;
  triangle: number;
  point: [number, number, number];
  barycentric: [number, number, number];
  /** Of the posed triangle's front. */
  normal: [number, number, number];
  /** The joint that moves the point most. */
  joint: number;
  /** Whether the back is hit. */
  back: boolean;
}
/** Two triangles per pair, sorted. */
export interface Pairs {
  pairs: Uint32Array;
  stats: Stats;
}
export interface Contacts {
  pairs: Uint32Array;
  /** Both ends of where two triangles touch: six numbers per pair. */
  segments: Float32Array;
}
/** `creases: false` leaves out what touches within a joint, or between a joint and its parent. */
export interface Filter {
  creases?: boolean;
}

export function collide(a: Body, b: Body): Pairs;
export function collideAny(a: Body, b: Body): boolean;
export function selfCollide(body: Body, filter?: Filter): Pairs;
export function castRay(body: Body, origin: ArrayLike<number>, direction: ArrayLike<number>, maxTime?: number): RayHit | null;
/** First hits of many rays: NaN and -1 where nothing is hit. */
export function castRays(
  body: Body,
  origins: Float32Array,
  directions: Float32Array,
): { times: Float32Array; triangles: Int32Array; joints: Int32Array; barycentrics: Float32Array };
/** All hits of one ray, by time. */
export function castRayAll(
  body: Body,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  maxTime?: number,
): {
  times: Float32Array;
  triangles: Int32Array;
  joints: Int32Array;
  barycentrics: Float32Array;
  points: Float32Array;
  normals: Float32Array;
  backs: Uint8Array;
};
export function closestPoint(body: Body, point: ArrayLike<number>): { point: [number, number, number]; triangle: number; distance: number };
export function closestPoints(a: Body, b: Body): { points: Float32Array; triangles: [number, number]; distance: number };
export function contacts(a: Body, b: Body): Contacts;
export function selfContacts(body: Body, filter?: Filter): Contacts;
/** The same answers by posing all vertices and comparing everything: for checks. Slow. */
export const bruteForce: {
  collide(a: Body, b: Body): Uint32Array;
  selfCollide(body: Body, filter?: Filter): Uint32Array;
  castRay(body: Body, origin: ArrayLike<number>, direction: ArrayLike<number>): RayHit | null;
};

/** Finds where a character goes through itself. Blocks: call it in a worker. `progress` returns false to stop, which throws a SuppleError. */
export function audit(
  shape: Shape,
  options?: { fps?: number; clips?: string[]; skinning?: Skinning; /** In units of the model. */ minDepth?: number },
  progress?: (done: number, total: number) => boolean | void,
): AuditResult;

export interface AuditResult {
  triangles: number;
  vertices: number;
  bones: number;
  /** The longest side of a box around the rest pose; percents are of it. */
  size: number;
  /** Bones that are scaled to almost nothing in some frame: what they carry was left out there. */
  hidden_bones: string[];
  clips: PlayedClip[];
  /** Faults first; the most severe first in each class. */
  events: AuditEvent[];
}
export type AuditClass = "fault" | "hidden" | "graze" | "crease" | "layered";
export interface PlayedClip {
  name: string;
  /** Of the clip in the model; null for the rest pose. */
  number: number | null;
  duration: number;
  frames: number;
  own_fps: number | null;
  frames_with: Record<AuditClass, number>;
  left_out: Record<string, unknown>;
}
export interface AuditEvent {
  /** The same in every audit of this character. Unique together with the class. */
  id: string;
  class: AuditClass;
  name: string;
  sides: [AuditSide, AuditSide];
  severity: number;
  depth: number;
  depth_percent: number;
  rest_depth: number;
  area: number;
  seconds: number;
  frames: number;
  visibility: number;
  worst: { clip: number; frame: number; point: [number, number, number]; triangles: [number, number][]; cut_off: [number[], number[]] };
  occurrences: AuditOccurrence[];
}
export interface AuditSide {
  body_part: string;
  mesh: string | null;
  bones: string[];
  nodes: number[];
}
export interface AuditOccurrence {
  clip: number;
  first_frame: number;
  last_frame: number;
  frames: number;
  worst_frame: number;
  depth: number;
  moments: { frame: number; pairs: number; depth: number }[];
}
