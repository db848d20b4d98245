// What the report of `supple audit` and the page in web/page share: which events are shown, in which order, and the strips of clips.
// Plain functions; both bring their own markup. An item is an element with the attributes data-find, data-class, data-clips, data-depth
// and data-seconds.

const COLUMNS = 300;
const STEPS = [0.25, 0.5, 1.0, 2.0, 4.0];
const TOPS = ['9', '7.5', '6', '4.8', '3.9', '3'];
const BOTTOM = 12;
const MARK = 2.5;

/** What a form with the fields find, class, clip, depth and order asks for. */
export function wishOf(form) {
  const wish = Object.fromEntries(new FormData(form));
  const words = wish.find.toLowerCase().split(/\s+/).filter(Boolean);
  const isFilter = words.length > 0 || wish.class !== '' || wish.clip !== '' || Number(wish.depth) > 0;
  return { ...wish, words, isFilter };
}

/** Whether an item is shown. */
export function isWanted({ dataset }, wish) {
  return wish.words.every(word => dataset.find.includes(word)) && (!wish.class || dataset.class === wish.class) &&
    (!wish.clip || dataset.clips.includes(` ${wish.clip} `)) && !(Number(dataset.depth) < Number(wish.depth));
}

/** Compares two items; `nameOf` tells an item's name, `placeOf` its place before anything was sorted. */
export function ordered(order, nameOf, placeOf) {
  const before = (a, b) => placeOf(a) - placeOf(b);
  return {
    depth: (a, b) => b.dataset.depth - a.dataset.depth || before(a, b),
    seconds: (a, b) => b.dataset.seconds - a.dataset.seconds || before(a, b),
    name: (a, b) => nameOf(a).localeCompare(nameOf(b)) || before(a, b),
  }[order] ?? before;
}

/** The strip of a clip: cells are { frame, depth in percent, event }. Height and colour tell the depth. */
export function stripOf(frames, cells, title) {
  const share = Math.ceil(frames / COLUMNS);
  const columns = Math.ceil(frames / share);
  const runs = runsOf(cells, share, columns);
  const paths = TOPS.map((top, shade) => {
    const path = runs.filter(run => run.shade === shade).map(run => `M${run.first} ${BOTTOM}V${top}h${run.count}V${BOTTOM}z`);
    return path.length > 0 ? `<path class="s${shade}" d="${path.join('')}"/>` : '';
  });
  const worst = cells.reduce((a, b) => b.depth > a.depth ? b : a);
  const width = columns / 100;
  const mark = `<rect class="worst" x="${Math.floor(worst.frame / share) + 0.5 - 0.5 * width}" width="${width}" height="${MARK}"/>`;
  const template = document.createElement('template');
  template.innerHTML =
    `<svg class="strip" viewBox="0 0 ${columns} ${BOTTOM}" preserveAspectRatio="none" role="img">${paths.join('')}${mark}</svg>`;
  const strip = template.content.firstChild;
  strip.setAttribute('aria-label', title);
  strip.dataset.frames = frames;
  strip.dataset.share = share;
  strip.dataset.runs = runs.map(run => [run.first, run.count, run.depth.toFixed(2), run.event].join(',')).join(';');
  return strip;
}

/** The deepest cell of each column, equal neighbours in one. */
function runsOf(cells, share, columns) {
  const deepest = new Array(columns);
  for (const cell of cells) {
    const column = Math.floor(cell.frame / share);
    if (column < columns && !(deepest[column]?.depth >= cell.depth)) deepest[column] = cell;
  }
  const runs = [];
  deepest.forEach((cell, column) => {
    const shade = STEPS.filter(step => cell.depth >= step).length;
    const last = runs.at(-1);
    if (last && last.first + last.count === column && last.shade === shade && last.event === cell.event) {
      last.count += 1;
      last.depth = Math.max(last.depth, cell.depth);
    } else {
      runs.push({ first: column, count: 1, shade, depth: cell.depth, event: cell.event });
    }
  });
  return runs;
}

/** Words at the pointer on a strip, and what a click there does: `nameAt(event)` names it, `choose(event, frame)` is the click. */
export function watchStrip(strip, fps, tip, nameAt, choose) {
  const { frames, share, own, runs } = strip.dataset;
  const parts = runs.split(';').map(run => run.split(',').map(Number));
  const at = pointer => {
    const box = strip.getBoundingClientRect();
    const columns = Math.ceil(frames / share);
    const column = Math.max(0, Math.min(columns - 1, Math.floor((pointer.clientX - box.left) / box.width * columns)));
    return [column, parts.find(([first, count]) => column >= first && column < first + count)];
  };
  strip.addEventListener('pointermove', pointer => {
    const [column, run] = at(pointer);
    const first = column * share;
    const last = Math.min(first + Number(share), frames) - 1;
    const to = (a, b) => a === b ? `${a}` : `${a}–${b}`;
    const deep = run ? `${run[1] > 1 || share > 1 ? 'up to ' : ''}${run[2]} % deep` : 'nothing to look at';
    tip.textContent = [`frame ${to(first, last)}`, own && `own frame ${Math.round(first / fps * own)}`,
      `${(first / fps).toFixed(2)} s`, deep, run && nameAt(run[3])].filter(Boolean).join(' · ');
    tip.hidden = false;
    tip.style.left = `${Math.max(4, Math.min(pointer.clientX + 12, innerWidth - tip.offsetWidth - 4))}px`;
    tip.style.top = `${Math.max(4, pointer.clientY - tip.offsetHeight - 10)}px`;
  });
  strip.addEventListener('pointerleave', () => { tip.hidden = true; });
  strip.addEventListener('click', pointer => {
    const [column, run] = at(pointer);
    choose(run?.[3], column * share);
  });
}
