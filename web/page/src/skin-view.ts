import { selfCollide, type Skinning } from 'supple-collision';
import { byId, counted } from './dom';
import { Figure } from './figure';
import type { App, View } from './view';

/** Two ways to blend joints, side by side, in the same pose. */
export class SkinView implements View {
  private readonly choices = [byId<HTMLSelectElement>('skin-left'), byId<HTMLSelectElement>('skin-right')];
  private readonly words = byId('skin-words');
  private readonly wrapper = byId<HTMLButtonElement>('skin-wrapper');
  private readonly note = byId('skin-note');
  private pairs = [0, 0];
  private right: Figure | undefined;
  private left: Figure | undefined;

  constructor(private readonly app: App) {
    for (const choice of this.choices) {
      choice.addEventListener('change', () => {
        this.leave();
        app.attempt(() => this.make());
        app.changed();
      });
    }
    this.wrapper.addEventListener('click', () => this.twist());
  }

  enter(): void {
    const canTwist = this.app.character.clips.some(clip => clip.name === 'twist');
    this.wrapper.disabled = !canTwist;
    this.note.textContent = canTwist
      ? 'Half a turn of the shoulders and the neck: linear blending pinches them like a candy wrapper, dual quaternions keep them round.'
      : 'This character has no clip called “twist”; choose man, human or creature for the candy-wrapper pose.';
    this.make();
    this.app.look();
  }

  leave(): void {
    this.left?.free();
    this.right?.free();
    this.left = this.right = undefined;
    this.app.figure.object.visible = true;
  }

  others(): Figure[] {
    return this.left && this.right ? [this.left, this.right] : [];
  }

  ask(): void {
    const { player, meter } = this.app;
    this.pairs = this.others().map(figure => {
      meter.time('pose', () => figure.pose(player.clip, player.seconds));
      const { pairs } = meter.time('ask', () => selfCollide(figure.body, { creases: false }));
      figure.touch(pairs);
      return pairs.length / 2;
    });
  }

  tell(): void {
    const [left, right] = this.choices.map(choice => choice.selectedOptions[0].text);
    this.words.textContent = `Left, ${left}: ${counted(this.pairs[0] ?? 0, 'pair')} touch. Right, ${right}: ${counted(this.pairs[1] ?? 0, 'pair')}.`;
  }

  /** Both stand beside where the first one stood. */
  private make(): void {
    const { character, figure, player, stage } = this.app;
    const names = this.choices.map(choice => choice.value as Skinning);
    this.left = new Figure(character, names[0], 0);
    this.right = new Figure(character, names[1], 1);
    figure.object.visible = false;
    figure.body.rest(figure.place);
    const [x0, , , x1] = figure.body.bounds();
    const half = 0.53 * (x1 - x0);
    this.left.place = { place: [-half, 0, 0] };
    this.right.place = { place: [half, 0, 0] };
    stage.add(this.left.object, this.right.object);
    for (const one of this.others()) one.pose(player.clip, player.seconds);
  }

  private twist(): void {
    const { player } = this.app;
    player.play(false);
    player.go('twist', 0);
    player.go('twist', player.duration / 2);
  }
}
