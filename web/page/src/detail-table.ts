import { byId, grouped, made, milliseconds } from './dom';
import type { App } from './view';

/** So many frames are measured before a time is worth telling. */
const ENOUGH = 20;

/** The detail slider, and what each detail took: four times the triangles, and hardly more time. */
export class DetailTable {
  private readonly slider = byId<HTMLInputElement>('two-detail');
  private readonly rows = byId<HTMLTableSectionElement>('two-times');
  private readonly note = byId('two-detail-note');
  private readonly times = new Map<number, { triangles: number; ask: number; vertices: number }>();
  private of = '';

  constructor(private readonly app: App, private readonly isAlone: () => boolean) {
    this.slider.addEventListener('change', () => {
      const { source } = this.app.character;
      if (source.kind === 'zoo') void this.app.open({ ...source, detail: Number(this.slider.value) }, { keepsCamera: true });
    });
  }

  enter(): void {
    const { source } = this.app.character;
    const isZoo = source.kind === 'zoo';
    if (this.of !== source.name) this.times.clear();
    this.of = source.name;
    this.slider.disabled = !isZoo;
    this.slider.value = isZoo ? String(source.detail) : '0';
    this.note.textContent = isZoo
      ? 'Each step has four times the triangles. The question hardly takes longer; deforming all vertices, which only drawing needs, takes four times as long.'
      : 'Animals of the zoo can be made with more detail.';
    this.tell();
  }

  tell(): void {
    const { source, triangleCount } = this.app.character;
    const { meter } = this.app;
    if (source.kind !== 'zoo' || !this.isAlone()) return;
    if (meter.frames('ask') >= ENOUGH) {
      this.times.set(source.detail, { triangles: 2 * triangleCount, ask: meter.mean('ask'), vertices: meter.mean('vertices') });
    }
    const rows = [...this.times].sort(([a], [b]) => a - b).map(([detail, time]) => made('tr', { className: detail === source.detail ? 'here' : '' },
      made('td', { textContent: String(detail) }), made('td', { className: 'n', textContent: grouped(time.triangles) }),
      made('td', { className: 'n', textContent: milliseconds(time.ask) }), made('td', { className: 'n', textContent: milliseconds(time.vertices) })));
    this.rows.replaceChildren(...rows.length > 0 ? rows : [made('tr', {}, made('td', { colSpan: 4, textContent: 'Let it play for a second.' }))]);
  }
}
