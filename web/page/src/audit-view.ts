import { selfCollide, type AuditResult } from 'supple-collision';
import { EventList } from './event-list';
import { byId, counted, download, grouped } from './dom';
import { Cancelled, start, type Task } from './task';
import type { App, View } from './view';

/** All frames of all clips, in a worker: what goes through what, for how long, how deep. */
export class AuditView implements View {
  private readonly form = byId<HTMLFormElement>('audit-form');
  private readonly run = byId<HTMLButtonElement>('audit-run');
  private readonly progress = byId<HTMLProgressElement>('audit-progress');
  private readonly state = byId('audit-state');
  private readonly events: EventList;
  private task: Task<AuditResult> | undefined;
  private audit: AuditResult | undefined;
  /** Triangles of the event that was jumped to; they glow while its frame is shown. */
  private marked: { clip: string | undefined; seconds: number; triangles: Uint32Array | undefined } | undefined;

  constructor(private readonly app: App) {
    this.events = new EventList((clip, seconds, triangles) => {
      app.player.play(false);
      app.player.go(clip, seconds);
      this.marked = { clip, seconds: app.player.seconds, triangles };
      app.changed();
    });
    this.form.addEventListener('submit', event => {
      event.preventDefault();
      if (this.task) this.task.cancel();
      else void this.start();
    });
    addEventListener('keydown', event => { if (event.key === 'Escape') this.task?.cancel(); });
    byId('audit-export').addEventListener('click', () => {
      const { name } = app.character;
      download(`${name}-audit.json`, `${JSON.stringify({ file: name, fps: this.fps, accepted: this.events.accepted(), audit: this.audit }, null, 1)}\n`);
    });
    byId('audit-accepted').addEventListener('click', () => {
      download(`${app.character.name}-accepted.json`, `${JSON.stringify({ schema: 1, accepted: this.events.accepted() }, null, 1)}\n`);
    });
  }

  enter(): void {
    if (this.events.of === this.app.character.name) return;
    this.audit = undefined;
    this.events.clear();
    const frames = this.app.character.clips.reduce((sum, clip) => sum + Math.floor(clip.duration * this.fps) + 1, 0);
    this.state.textContent = frames > 0
      ? `${counted(this.app.character.clips.length, 'clip')}, about ${counted(frames, 'frame')}. It runs beside the page and can be cancelled.`
      : 'There is no clip: the rest pose is looked at.';
  }

  leave(): void {
    this.app.figure.touch([]);
    this.marked = undefined;
  }

  /** The character goes: so does what is said about it. */
  forget(): void {
    this.task?.cancel();
    this.audit = undefined;
    this.events.clear();
  }

  others(): [] {
    return [];
  }

  ask(): void {
    const { figure, meter, player } = this.app;
    const { pairs } = meter.time('ask', () => selfCollide(figure.body, { creases: false }));
    const isThere = this.marked?.clip === player.clip && this.marked?.seconds === player.seconds;
    if (!isThere) this.marked = undefined;
    figure.touch(this.marked?.triangles ?? pairs);
  }

  tell(): void {}

  private get fps(): number {
    return Number(new FormData(this.form).get('fps'));
  }

  private async start(): Promise<void> {
    const { character, figure } = this.app;
    const fps = this.fps;
    this.run.textContent = 'Cancel';
    this.progress.hidden = false;
    this.progress.removeAttribute('value');
    this.events.clear();
    this.audit = undefined;
    this.state.textContent = 'Starting …';
    this.task = start({ kind: 'audit', bytes: character.bytes, options: { fps, skinning: figure.skinning } }, (done, total) => {
      Object.assign(this.progress, { max: total, value: done });
      this.state.textContent = `${grouped(done)} of ${counted(total, 'frame')}`;
    });
    const before = performance.now();
    try {
      this.audit = await this.task.answer;
      const seconds = ((performance.now() - before) / 1000).toFixed(1);
      this.events.show(this.audit, character.name, fps);
      const frames = this.audit.clips.reduce((sum, clip) => sum + clip.frames, 0);
      const faults = this.audit.events.filter(event => event.class === 'fault').length;
      this.state.textContent = this.audit.events.length === 0
        ? `Nothing intersects in ${counted(frames, 'frame')} (${seconds} s).`
        : `${counted(faults, 'fault')} and ${counted(this.audit.events.length - faults, 'other event')} in ${counted(frames, 'frame')} (${seconds} s).`;
    } catch (error) {
      this.state.textContent = error instanceof Cancelled ? 'Cancelled: nothing was kept.' : `The audit failed: ${(error as Error).message}`;
    } finally {
      this.task = undefined;
      this.run.textContent = 'Audit all clips';
      this.progress.hidden = true;
    }
  }
}
