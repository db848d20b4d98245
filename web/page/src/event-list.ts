import type { AuditEvent, AuditResult } from 'supple-collision';
import { isWanted, ordered, stripOf, watchStrip, wishOf, type Cell } from 'audit-viewer';
import { byId, counted, made } from './dom';

type Jump = (clip: string | undefined, seconds: number, triangles: Uint32Array | undefined) => void;

/** The list of events and the strips of clips, by the viewer that the report of `supple audit --html` has, too. */
export class EventList {
  /** Whose events are shown. */
  of = '';
  private readonly tools = byId<HTMLFormElement>('audit-tools');
  private readonly strips = byId('audit-strips');
  private readonly list = byId<HTMLOListElement>('audit-events');
  private readonly shown = byId<HTMLOutputElement>('audit-shown');
  private readonly results = byId('audit-results');
  private readonly tip = byId('tip');
  private audit: Pick<AuditResult, 'clips' | 'events'> = { clips: [], events: [] };
  private fps = 30;
  private items: HTMLElement[] = [];

  constructor(private readonly jump: Jump) {
    this.tools.addEventListener('input', () => this.apply());
    this.tools.addEventListener('reset', () => setTimeout(() => this.apply()));
    this.tools.addEventListener('submit', event => event.preventDefault());
  }

  clear(): void {
    this.of = '';
    this.results.hidden = true;
    this.items = [];
    this.list.replaceChildren();
    this.strips.replaceChildren();
    this.tip.hidden = true;
  }

  show(audit: AuditResult, of: string, fps: number): void {
    Object.assign(this, { audit, of, fps });
    this.tools.reset();
    const classes = [...new Set(audit.events.map(event => event.class))];
    const choose = (name: string, options: [string, string][]) => {
      const select = this.tools.elements.namedItem(name) as HTMLSelectElement;
      select.replaceChildren(made('option', { value: '', textContent: 'all' }), ...options.map(([value, textContent]) => made('option', { value, textContent })));
    };
    choose('class', classes.map(name => [name, name]));
    choose('clip', audit.clips.map((_, i) => [String(i), this.titleOf(i)]));
    this.items = audit.events.map((event, i) => this.item(event, i));
    this.results.hidden = audit.events.length === 0;
    this.apply();
  }

  /** As `supple audit --accept` reads it. */
  accepted(): object[] {
    const events = this.audit.events.filter(event => this.isAccepted(event));
    return events.map(event => ({
      file: this.of, event: event.id, class: event.class, clips: [], depth_percent: event.depth_percent, reason: 'accepted on the page',
    }));
  }

  private titleOf(clip: number): string {
    const { name, number } = this.audit.clips[clip];
    return number === null ? 'rest pose' : name || `clip ${number}`;
  }

  private apply(): void {
    const wish = wishOf(this.tools);
    const showsAccepted = new FormData(this.tools).has('accepted');
    const nameOf = (item: HTMLElement) => this.audit.events[Number(item.dataset.event)].name;
    const order = ordered(wish.order, nameOf, item => Number(item.dataset.event));
    for (const item of this.items) {
      item.hidden = !isWanted(item, wish) || (!showsAccepted && item.dataset.accepted === 'true');
    }
    this.list.replaceChildren(...this.items.toSorted(order));
    const shown = this.items.filter(item => !item.hidden);
    this.shown.textContent = `${shown.length} of ${counted(this.items.length, 'event')} shown`;
    this.drawStrips(new Set(shown.map(item => Number(item.dataset.event))), wish.clip);
  }

  private item(event: AuditEvent, number: number): HTMLElement {
    const clips = [...new Set(event.occurrences.map(occurrence => occurrence.clip))];
    const names = [event.name, ...event.sides.flatMap(side => [side.body_part, side.mesh ?? '', ...side.bones])];
    const { clip, frame } = event.worst;
    const go = made('button', { type: 'button', className: 'go', textContent: event.name, title: 'Show its deepest frame' });
    go.addEventListener('click', () => this.jumpTo(number));
    const accept = made('input', { type: 'checkbox', checked: this.isAccepted(event) });
    const item = made('li', {}, go, made('span', { className: `badge ${event.class}`, textContent: event.class }),
      made('span', { className: 'dim', textContent: `${event.depth_percent.toPrecision(2)} % deep, ${event.seconds.toFixed(2)} s; deepest in `
        + `${this.titleOf(clip)}, frame ${frame}` }),
      made('label', {}, accept, ' accept'));
    Object.assign(item.dataset, {
      event: number, find: names.join(' ').toLowerCase(), class: event.class, clips: ` ${clips.join(' ')} `,
      depth: event.depth_percent, seconds: event.seconds, accepted: this.isAccepted(event),
    });
    accept.addEventListener('change', () => {
      this.accept(event, accept.checked);
      item.dataset.accepted = String(accept.checked);
      this.apply();
    });
    return item;
  }

  private jumpTo(number: number, clip = this.audit.events[number].worst.clip, frame = this.audit.events[number].worst.frame): void {
    const { worst } = this.audit.events[number];
    const isWorst = worst.clip === clip && worst.frame === frame;
    for (const item of this.items) item.classList.toggle('here', item.dataset.event === String(number));
    const { name, number: own } = this.audit.clips[clip];
    // Only of its deepest frame does an event know all triangles; elsewhere those of the frame glow.
    const triangles = isWorst ? new Uint32Array(worst.triangles.flat()) : undefined;
    this.go(own === null ? undefined : name, frame, triangles);
  }

  private go(clip: string | undefined, frame: number, triangles: Uint32Array | undefined): void {
    this.jump(clip, frame / this.fps, triangles);
  }

  private drawStrips(shown: Set<number>, onlyClip: string): void {
    const lines = this.audit.clips.flatMap((clip, number) => {
      if (onlyClip !== '' && onlyClip !== String(number)) return [];
      const cells: Cell[] = [];
      for (const index of shown) {
        const event = this.audit.events[index];
        const percent = event.depth > 0 ? event.depth_percent / event.depth : 0;
        for (const { moments } of event.occurrences.filter(occurrence => occurrence.clip === number)) {
          cells.push(...moments.map(({ frame, depth }) => ({ frame, depth: depth * percent, event: index })));
        }
      }
      if (cells.length === 0) return [];
      const frames = new Set(cells.map(cell => cell.frame)).size;
      const strip = stripOf(clip.frames, cells, `${this.titleOf(number)}: events in ${frames} of ${counted(clip.frames, 'frame')}`);
      const nameAt = (event: number | undefined) => event === undefined ? undefined : this.audit.events[event].name;
      watchStrip(strip, this.fps, this.tip, nameAt, (event, frame) => {
        if (event === undefined) this.go(clip.number === null ? undefined : clip.name, frame, undefined);
        else this.jumpTo(event, number, frame);
      });
      return [made('div', { className: 'line' }, made('span', { textContent: this.titleOf(number) }), strip)];
    });
    this.strips.replaceChildren(...lines);
  }

  private key(event: AuditEvent): string {
    return `supple accepted ${this.of} ${event.class} ${event.id}`;
  }

  private isAccepted(event: AuditEvent): boolean {
    return remembered(() => localStorage.getItem(this.key(event)) !== null) ?? false;
  }

  private accept(event: AuditEvent, isAccepted: boolean): void {
    remembered(() => isAccepted ? localStorage.setItem(this.key(event), '1') : localStorage.removeItem(this.key(event)));
  }
}

/** Some people switch storage off; then nothing is remembered. */
function remembered<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
