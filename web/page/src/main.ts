import 'audit-viewer.css';
import './style.css';
import { memoryBytes, ready, zooNames } from 'supple-collision';
import { AuditView } from './audit-view';
import { fileSource, loadCharacter, type Character, type Source } from './character';
import { byId, counted, fillChoices, made, milliseconds } from './dom';
import { Figure } from './figure';
import { readLink, writeLink, type Link } from './link';
import { Meter, type Part } from './meter';
import { keepOffline } from './offline/register';
import { PickView } from './pick-view';
import { Player } from './player';
import { SkinView } from './skin-view';
import { Stage } from './stage';
import { Tabs } from './tabs';
import { Cancelled, type Task } from './task';
import { watchTheme } from './theme';
import { TouchView } from './touch-view';
import { TwoView } from './two-view';
import type { App, View } from './view';

/** What is asked in each tab, for the table of times. */
const QUESTIONS: Record<string, string> = {
  touch: 'self-collision', pick: 'one ray', audit: 'self-collision', two: 'collision of both', skin: 'self-collision of each',
};
/** What is there when nobody has chosen yet: something that touches itself. */
const FIRST: { source: Source; clip: string } = { source: { kind: 'zoo', name: 'man', detail: 0 }, clip: 'random' };
const NOTES = 20;

/** Frames until times of a question say something: the browser compiles first. */
const WARM_UP = 30;

class Page implements App {
  readonly stage = new Stage(byId('canvas'));
  readonly meter = new Meter();
  readonly player = new Player(() => this.changed());
  private readonly views: Record<string, View>;
  private readonly audit = new AuditView(this);
  private readonly tabs: Tabs;
  private viewName = 'touch';
  private view: View | undefined;
  private current: { character: Character; figure: Figure } | undefined;
  private waiting: Task<unknown> | undefined;
  /** So many frames are still computed even where nothing moves, for their times. */
  private stale = 1;
  private last = performance.now();
  private told = 0;

  constructor() {
    this.views = { touch: new TouchView(this), pick: new PickView(this), audit: this.audit, two: new TwoView(this), skin: new SkinView(this) };
    this.tabs = new Tabs(document.querySelector<HTMLElement>('[role=tablist]')!, name => this.enter(name));
    watchTheme(() => this.stage.takeColours());
    this.watchFiles();
    byId('share').addEventListener('click', () => void this.share());
    byId('error-close').addEventListener('click', () => { byId('error').hidden = true; });
    byId('busy-cancel').addEventListener('click', () => this.waiting?.cancel());
    addEventListener('keydown', event => {
      if (event.key !== 'Escape') return;
      this.waiting?.cancel();
      byId('error').hidden = true;
    });
    addEventListener('hashchange', () => void this.follow(readLink(location.hash)));
  }

  get character(): Character {
    return this.current!.character;
  }

  get figure(): Figure {
    return this.current!.figure;
  }

  attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.player.play(false);
      tellError((error as Error).message);
    }
  }

  changed(): void {
    this.stale = WARM_UP;
  }

  async begin(): Promise<void> {
    const zoo = byId<HTMLSelectElement>('zoo');
    fillChoices(zoo, zooNames);
    zoo.addEventListener('change', () => void this.open({ kind: 'zoo', name: zooNames[Number(zoo.value)], detail: 0 }));
    const link = readLink(location.hash);
    keepOffline();
    requestAnimationFrame(now => this.frame(now));
    await ready();
    await this.follow(link);
  }

  async wait<T>(words: string, task: Task<T>): Promise<T | undefined> {
    this.waiting?.cancel();
    this.waiting = task;
    byId('busy-words').textContent = `${words} …`;
    byId('busy').hidden = false;
    try {
      return await task.answer;
    } catch (error) {
      if (!(error instanceof Cancelled)) tellError((error as Error).message);
      return undefined;
    } finally {
      if (this.waiting === task) {
        this.waiting = undefined;
        byId('busy').hidden = true;
      }
    }
  }

  async open(source: Source, { keepsCamera = false, keepsError = false } = {}): Promise<void> {
    if (!keepsError) byId('error').hidden = true;
    const character = await this.wait(`${source.kind === 'zoo' ? 'Making' : 'Reading'} ${source.name}`, loadCharacter(source));
    if (!character) {
      this.tellCharacter();
      return;
    }
    this.view?.leave();
    this.audit.forget();
    this.current?.figure.free();
    this.current?.character.free();
    const figure = new Figure(character, 'linear');
    this.current = { character, figure };
    this.stage.add(figure.object);
    this.player.take(character.clips);
    this.meter.forget();
    this.tellCharacter();
    const camera = this.stage.camera.position.clone();
    const target = this.stage.controls.target.clone();
    this.look();
    this.enter(this.viewName);
    if (keepsCamera) {
      this.stage.camera.position.copy(camera);
      this.stage.controls.target.copy(target);
    }
  }

  look(): void {
    const others = this.view?.others() ?? [];
    // One alone as its clip begins, so that the picture does not depend on when somebody looked.
    this.figure.pose(this.player.clip, others.length > 0 ? this.player.seconds : 0);
    const all = [this.figure, ...others].filter(figure => figure.object.visible);
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (const figure of all) {
      const bounds = figure.body.bounds();
      for (let axis = 0; axis < 3; axis++) {
        box[axis] = Math.min(box[axis], bounds[axis]);
        box[axis + 3] = Math.max(box[axis + 3], bounds[axis + 3]);
      }
    }
    this.stage.frame(box, all.length > 1);
    this.changed();
  }

  private enter(name: string): void {
    if (!this.current) {
      this.viewName = name;
      return;
    }
    this.view?.leave();
    const wasWide = this.viewName === 'two' || this.viewName === 'skin';
    this.view = undefined;
    if (wasWide && name !== this.viewName) this.look();
    this.viewName = name;
    const view = this.views[name];
    this.view = view;
    this.attempt(() => view.enter());
    byId('ask-name').textContent = QUESTIONS[name];
    this.meter.forget();
    this.changed();
    this.told = 0;
  }

  private frame(now: number): void {
    requestAnimationFrame(next => this.frame(next));
    const elapsed = now - this.last;
    this.last = now;
    if (!this.current || !this.view) return;
    const isNew = this.player.advance(Math.min(elapsed / 1000, 0.25));
    const isComputed = isNew || this.stale > 0;
    if (isComputed) this.compute();
    if (isNew) this.meter.add('frame', elapsed);
    this.meter.time('draw', () => this.stage.render());
    if (isComputed) this.meter.next();
    if (now - this.told > 250) {
      this.told = now;
      this.tell();
    }
  }

  private compute(): void {
    const { meter, player, view, figure } = this;
    this.stale = Math.max(this.stale - 1, 0);
    this.attempt(() => {
      meter.time('pose', () => figure.pose(player.clip, player.seconds));
      view!.ask();
      for (const drawn of [figure, ...view!.others()].filter(one => one.object.visible)) {
        meter.time('vertices', () => drawn.fetchVertices());
        meter.time('light', () => drawn.light());
      }
    });
    this.stage.changed();
  }

  private tell(): void {
    const { meter } = this;
    const put = (id: string, time: number) => { byId(`time-${id}`).textContent = milliseconds(time); };
    for (const part of ['pose', 'ask', 'vertices', 'light', 'draw', 'frame'] satisfies Part[]) put(part, meter.mean(part));
    if (meter.frames('frame') === 0) byId('time-frame').textContent = 'paused';
    put('supple', meter.mean('pose') + (meter.frames('ask') > 0 ? meter.mean('ask') : 0));
    byId('memory').textContent = `${(memoryBytes() / 1e6).toFixed(1)} MB`;
    this.view?.tell();
  }

  private tellCharacter(): void {
    if (!this.current) return;
    const { character } = this;
    const { source, notes } = character;
    const zoo = byId<HTMLSelectElement>('zoo');
    zoo.querySelector('[data-own]')?.remove();
    if (source.kind === 'zoo') {
      zoo.value = String(zooNames.indexOf(source.name));
    } else {
      const own = made('option', { value: 'own', textContent: source.name, selected: true });
      own.dataset.own = '';
      zoo.prepend(own);
    }
    byId<HTMLButtonElement>('share').disabled = source.kind !== 'zoo';
    byId('about').textContent = `${counted(character.triangleCount, 'triangle')}, ${counted(character.joints.length, 'joint')}, `
      + `${counted(character.clips.length, 'clip')}`;
    const list = byId('notes');
    list.hidden = notes.length === 0;
    list.replaceChildren(...notes.slice(0, NOTES).map(note => made('li', { textContent: note })));
  }

  private watchFiles(): void {
    const file = byId<HTMLInputElement>('file');
    const take = async (chosen: File | null | undefined) => {
      if (!chosen) return tellError('Nothing that was dropped is a file.');
      await this.open(await fileSource(chosen));
    };
    byId('open').addEventListener('click', () => file.click());
    file.addEventListener('change', () => {
      if (file.files?.[0]) void take(file.files[0]);
      file.value = '';
    });
    const mark = (isOver: boolean) => document.body.classList.toggle('dropping', isOver);
    addEventListener('dragover', event => {
      event.preventDefault();
      mark(true);
    });
    addEventListener('dragleave', event => { if (!event.relatedTarget) mark(false); });
    addEventListener('drop', event => {
      event.preventDefault();
      mark(false);
      void take(event.dataTransfer?.files[0]);
    });
  }

  /** Opens what an address names. */
  private async follow(link: Link): Promise<void> {
    if (this.tabs.has(link.view)) this.tabs.choose(link.view!);
    if (link.file !== undefined) {
      const answer = await fetch('./character.supple').catch(() => undefined);
      if (answer?.ok) await this.open({ kind: 'shape', name: link.file, bytes: new Uint8Array(await answer.arrayBuffer()) });
      else tellError(`${link.file} could not be fetched: is supple view still running?`);
    } else {
      if (link.zoo !== undefined) await this.open({ kind: 'zoo', name: link.zoo, detail: link.detail });
      if (!this.current) {
        await this.open(FIRST.source, { keepsError: true });
        this.player.go(FIRST.clip, 0);
      }
    }
    if (!this.current || link.seconds === undefined) return;
    this.player.play(false);
    this.player.go(link.clip, link.seconds);
  }

  private async share(): Promise<void> {
    const { source } = this.character;
    if (source.kind !== 'zoo') return;
    this.player.play(false);
    const { clip, seconds } = this.player;
    const address = writeLink({ zoo: source.name, detail: source.detail, view: this.viewName, clip, seconds });
    history.replaceState(null, '', address);
    const button = byId<HTMLButtonElement>('share');
    try {
      await navigator.clipboard.writeText(address);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'It is in the address bar now';
    }
    setTimeout(() => { button.textContent = 'Copy link to this frame'; }, 2000);
  }
}

function tellError(words: string): void {
  byId('error-words').textContent = words;
  byId('error').hidden = false;
  byId('error').scrollIntoView({ block: 'nearest' });
}

try {
  await new Page().begin();
} catch (error) {
  // Without WebGL or WebAssembly there is nothing to show but this.
  tellError(`The page could not be started: ${(error as Error).message}`);
}
