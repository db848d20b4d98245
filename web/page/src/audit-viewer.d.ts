// The script that the report of `supple audit --html` has in it, too: crates/supple-cli/src/audit/html/viewer.js.
declare module 'audit-viewer' {
  export interface Wish { find: string; class: string; clip: string; depth: string; order: string; words: string[]; isFilter: boolean }
  export interface Cell { frame: number; depth: number; event: number }
  export function wishOf(form: HTMLFormElement): Wish;
  export function isWanted(item: HTMLElement, wish: Wish): boolean;
  export function ordered(
    order: string, nameOf: (item: HTMLElement) => string, placeOf: (item: HTMLElement) => number,
  ): (a: HTMLElement, b: HTMLElement) => number;
  export function stripOf(frames: number, cells: Cell[], title: string): SVGSVGElement;
  export function watchStrip(
    strip: SVGSVGElement, fps: number, tip: HTMLElement, nameAt: (event: number | undefined) => string | undefined,
    choose: (event: number | undefined, frame: number) => void,
  ): void;
}
declare module 'audit-viewer.css' {}
