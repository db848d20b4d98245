import { selfCollide } from 'supple-collision';
import { Comparison } from './compare';
import { byId, counted, grouped } from './dom';
import type { App, View } from './view';

/** Where does it touch itself? Asked in every frame. */
export class TouchView implements View {
  private readonly creases = byId<HTMLInputElement>('touch-creases');
  private readonly words = byId('touch-words');
  private readonly comparison: Comparison;
  private pairs = 0;
  private glowing = 0;

  constructor(private readonly app: App) {
    this.creases.addEventListener('change', () => app.changed());
    this.comparison = new Comparison('touch', () => {
      app.player.play(false);
      const { clip, seconds } = app.player;
      const { body, skinning, place } = app.figure;
      return {
        bodies: [{ bytes: app.character.bytes, skinning, clip, seconds, place }],
        filter: this.filter,
        pairs: selfCollide(body, this.filter).pairs,
        words: `${clip ?? 'rest pose'} at ${seconds.toFixed(2)} s`,
      };
    });
  }

  enter(): void {
    this.comparison.forget();
  }

  leave(): void {
    this.comparison.forget();
    this.app.figure.touch([]);
  }

  others(): [] {
    return [];
  }

  ask(): void {
    const { figure, meter } = this.app;
    const { pairs } = meter.time('ask', () => selfCollide(figure.body, this.filter));
    this.pairs = pairs.length / 2;
    this.glowing = figure.touch(pairs);
  }

  private get filter(): { creases: boolean } {
    return { creases: this.creases.checked };
  }

  tell(): void {
    this.words.textContent = this.pairs === 0
      ? 'Nothing touches in this frame.'
      : `${counted(this.pairs, 'pair')} of triangles touch: ${grouped(this.glowing)} of ${grouped(this.app.character.triangleCount)} glow.`;
  }
}
