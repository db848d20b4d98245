// The page works without this; it adds filters, sorting, large pictures, copying, and words at the pointer.
(() => {
  'use strict';
  const fps = Number(document.currentScript.dataset.fps);
  const find = (selector, inside = document) => inside.querySelector(selector);
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const made = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
  const items = all('[data-find]');
  items.forEach((item, place) => { item.place = place; });
  const nameOf = item => find('h3, .name', item).textContent;

  // Filters and order.
  const tools = find('#tools');
  const order = {
    '': (a, b) => a.place - b.place,
    depth: (a, b) => b.dataset.depth - a.dataset.depth || a.place - b.place,
    seconds: (a, b) => b.dataset.seconds - a.dataset.seconds || a.place - b.place,
    name: (a, b) => nameOf(a).localeCompare(nameOf(b)) || a.place - b.place,
  };
  function apply() {
    const wish = Object.fromEntries(new FormData(tools));
    const words = wish.find.toLowerCase().split(/\s+/).filter(Boolean);
    const filtered = words.length > 0 || wish.class !== '' || wish.clip !== '' || Number(wish.depth) > 0;
    for (const item of items) {
      const data = item.dataset;
      item.hidden = !(words.every(word => data.find.includes(word)) && (!wish.class || data.class === wish.class) &&
        (!wish.clip || data.clips.includes(` ${wish.clip} `)) && !(Number(data.depth) < Number(wish.depth)));
    }
    for (const table of all('.fold tbody')) table.append(...[...table.children].sort(order[wish.order]));
    for (const file of all('.file')) {
      // Those that are shown come first, as many as there were before the fold.
      const cards = all('.card', file).sort((a, b) => a.hidden - b.hidden || order[wish.order](a, b));
      for (const list of all('.cards', file)) {
        list.size ??= list.children.length;
        list.append(...cards.splice(0, list.size));
      }
      file.hidden = filtered && all('[data-find]', file).every(item => item.hidden);
    }
    for (const fold of all('.fold')) {
      const rows = all('[data-find]', fold);
      const shown = rows.filter(row => !row.hidden).length;
      fold.hidden = shown === 0;
      find('.count', fold).textContent = filtered ? `${shown} of ${rows.length} shown` : '';
      if (wish.class) fold.open = shown > 0;
    }
    const shown = items.filter(item => !item.hidden).length;
    find('output', tools).textContent = filtered ? `${shown} of ${items.length} events` : '';
  }
  if (tools) {
    tools.hidden = false;
    tools.addEventListener('input', apply);
    tools.addEventListener('reset', () => setTimeout(apply));
    tools.addEventListener('submit', event => event.preventDefault());
    apply();
  }

  // Large pictures.
  const large = find('#large');
  function go(card) {
    if (card.hidden && tools) { tools.reset(); apply(); }
    for (let fold = card.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
    card.scrollIntoView({ block: 'start' });
    all('.here').forEach(other => other.classList.remove('here'));
    card.classList.add('here');
  }
  function enlarge(card) {
    const picture = card && find('figure img', card);
    if (!picture || !large.showModal) return card && go(card);
    find('img', large).src = picture.src;
    find('img', large).alt = picture.alt;
    find('p', large).textContent = `${nameOf(card)}: ${find('.deepest', card).textContent}`;
    find('a', large).href = `#${card.id}`;
    large.showModal();
  }
  for (const link of all('a[href^="#"]')) {
    link.addEventListener('click', () => {
      large.close();
      go(document.getElementById(link.hash.slice(1)));
    });
  }
  large.addEventListener('click', event => { if (event.target === large || event.target.matches('img')) large.close(); });
  for (const picture of all('figure img')) {
    Object.assign(picture, { tabIndex: 0, title: 'Enlarge' }).setAttribute('role', 'button');
    picture.addEventListener('click', () => enlarge(picture.closest('article')));
    picture.addEventListener('keydown', event => { if (event.key === 'Enter') enlarge(picture.closest('article')); });
  }

  // Words at the pointer, and pictures of what is there.
  const tip = find('#tip');
  for (const strip of all('svg.strip')) {
    const { frames, share, own, runs } = strip.dataset;
    const parts = runs.split(';').map(run => run.split(',').map(Number));
    const title = find('title', strip);
    strip.setAttribute('aria-label', title.textContent);
    title.remove();
    const at = event => {
      const box = strip.getBoundingClientRect();
      const columns = Math.ceil(frames / share);
      const column = Math.max(0, Math.min(columns - 1, Math.floor((event.clientX - box.left) / box.width * columns)));
      return [column, parts.find(([first, count]) => column >= first && column < first + count)];
    };
    const cardOf = run => {
      const line = strip.closest('[data-file]');
      return line ? run && document.getElementById(`e${line.dataset.file}-${run[3]}`) : strip.closest('article');
    };
    strip.addEventListener('pointermove', event => {
      const [column, run] = at(event);
      const first = column * share;
      const last = Math.min(first + Number(share), frames) - 1;
      const to = (a, b) => a === b ? `${a}` : `${a}–${b}`;
      const card = cardOf(run);
      const deep = run ? `${run[1] > 1 || share > 1 ? 'up to ' : ''}${run[2]} % deep` : 'nothing to look at';
      tip.textContent = [`frame ${to(first, last)}`, own && `own frame ${Math.round(first / fps * own)}`,
        `${(first / fps).toFixed(2)} s`, deep, run && strip.closest('[data-file]') && card && nameOf(card)]
        .filter(Boolean).join(' · ');
      tip.hidden = false;
      tip.style.left = `${Math.max(4, Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 4))}px`;
      tip.style.top = `${Math.max(4, event.clientY - tip.offsetHeight - 10)}px`;
    });
    strip.addEventListener('pointerleave', () => { tip.hidden = true; });
    strip.addEventListener('click', event => enlarge(cardOf(at(event)[1])));
  }

  // Commands.
  for (const code of all('.command code')) {
    const button = Object.assign(made('button', 'Copy'), { type: 'button' });
    code.after(button);
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
      } catch {
        getSelection().selectAllChildren(code);
        document.execCommand('copy');
      }
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    });
  }
})();
