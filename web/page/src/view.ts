import type { Character, Source } from './character';
import type { Figure } from './figure';
import type { Meter } from './meter';
import type { Player } from './player';
import type { Stage } from './stage';
import type { Task } from './task';

/** What the views share. */
export interface App {
  readonly stage: Stage;
  readonly player: Player;
  readonly meter: Meter;
  /** The character that was chosen, and the body that is drawn of it. */
  readonly character: Character;
  readonly figure: Figure;
  /** The pose, or what is asked of it, has changed. */
  changed(): void;
  /** Waits for work with words on the page, which can be cancelled; errors are told there. */
  wait<T>(words: string, task: Task<T>): Promise<T | undefined>;
  /** Does something that may not be possible with this character; errors are told on the page. */
  attempt(work: () => void): void;
  /** Another character in place of the first; the player stays where it is. */
  open(source: Source, options?: { keepsCamera?: boolean }): Promise<void>;
  /** Puts the camera in front of everything that is there, as it is posed. */
  look(): void;
}

/** One tab: a question that is asked in every frame. */
export interface View {
  /** A character is there; also after another one was loaded. */
  enter(): void;
  /** Before the character goes, or another tab comes. */
  leave(): void;
  /** Figures beside the first one. */
  others(): Figure[];
  /** The first figure is posed. Poses the others, asks, marks. */
  ask(): void;
  /** Says in words what was found; a few times per second. */
  tell(): void;
}
