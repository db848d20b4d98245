import type { ClipInfo } from 'supple-collision';
import { byId, fillChoices } from './dom';

/** Which clip plays, and where it is; and the controls for both. */
export class Player {
  isPlaying = true;
  seconds = 0;
  private clips: readonly ClipInfo[] = [];
  private readonly button = byId<HTMLButtonElement>('play');
  private readonly choice = byId<HTMLSelectElement>('clip');
  private readonly scrub = byId<HTMLInputElement>('scrub');
  private readonly speed = byId<HTMLSelectElement>('speed');
  private readonly clock = byId<HTMLOutputElement>('clock');

  /** `changed` is called when somebody has chosen another pose. */
  constructor(private readonly changed: () => void) {
    this.button.addEventListener('click', () => this.play(!this.isPlaying));
    this.choice.addEventListener('change', () => this.go(this.clip, 0));
    this.scrub.addEventListener('input', () => {
      this.play(false);
      this.go(this.clip, Number(this.scrub.value));
    });
  }

  /** The name of the clip; none is the rest pose. */
  get clip(): string | undefined {
    return this.clips[Number(this.choice.value)]?.name;
  }

  get duration(): number {
    return this.clips[Number(this.choice.value)]?.duration ?? 0;
  }

  /** Another character. Its clip of the same name goes on where it was. */
  take(clips: readonly ClipInfo[]): void {
    const before = this.clip;
    this.clips = clips;
    fillChoices(this.choice, clips.length > 0 ? clips.map((clip, i) => clip.name || `clip ${i}`) : ['rest pose']);
    for (const control of [this.button, this.choice, this.scrub, this.speed]) control.disabled = clips.length === 0;
    const same = clips.findIndex(clip => clip.name === before);
    this.choice.value = String(Math.max(same, 0));
    this.seconds = same < 0 ? 0 : Math.min(this.seconds, this.duration);
    this.tell();
  }

  play(isPlaying: boolean): void {
    this.isPlaying = isPlaying;
    this.button.textContent = isPlaying ? 'Pause' : 'Play';
    this.button.setAttribute('aria-pressed', String(isPlaying));
  }

  /** Jumps. */
  go(clip: string | undefined, seconds: number): void {
    const number = this.clips.findIndex(other => other.name === clip);
    if (number >= 0) this.choice.value = String(number);
    this.seconds = Math.max(0, Math.min(seconds, this.duration));
    this.tell();
    this.changed();
  }

  /** Tells whether there is a new pose. */
  advance(elapsed: number): boolean {
    if (!this.isPlaying || this.duration <= 0) return false;
    this.seconds = (this.seconds + elapsed * Number(this.speed.value)) % this.duration;
    this.tell();
    return true;
  }

  private tell(): void {
    this.scrub.max = String(this.duration || 1);
    this.scrub.value = String(this.seconds);
    this.scrub.setAttribute('aria-valuetext', `${this.seconds.toFixed(2)} seconds`);
    this.clock.textContent = `${this.seconds.toFixed(2)} / ${this.duration.toFixed(2)} s`;
  }
}
