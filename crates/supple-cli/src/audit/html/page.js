// The page works without this; it adds filters, sorting, large pictures, copying, and words at the pointer. It stands behind viewer.js, in
// one module with it.
{
  const fps = Number(document.querySelector('script[data-fps]').dataset.fps);
  const find = (selector, inside = document) => inside.querySelector(selector);
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const made = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
  const items = all('[data-find]');
  items.forEach((item, place) => { item.place = place; });
  const nameOf = item => find('h3, .name', item).textContent;

  // Filters and order.
  const tools = find('#tools');
  function apply() {
    const wish = wishOf(tools);
    const order = ordered(wish.order, nameOf, item => item.place);
    for (const item of items) item.hidden = !isWanted(item, wish);
    for (const table of all('.fold tbody')) table.append(...[...table.children].sort(order));
    for (const file of all('.file')) {
      // Those that are shown come first, as many as there were before the fold.
      const cards = all('.card', file).sort((a, b) => a.hidden - b.hidden || order(a, b));
      for (const list of all('.cards', file)) {
        list.size ??= list.children.length;
        list.append(...cards.splice(0, list.size));
      }
      file.hidden = wish.isFilter && all('[data-find]', file).every(item => item.hidden);
    }
    for (const fold of all('.fold')) {
      const rows = all('[data-find]', fold);
      const shown = rows.filter(row => !row.hidden).length;
      fold.hidden = shown === 0;
      find('.count', fold).textContent = wish.isFilter ? `${shown} of ${rows.length} shown` : '';
      if (wish.class) fold.open = shown > 0;
    }
    const shown = items.filter(item => !item.hidden).length;
    find('output', tools).textContent = wish.isFilter ? `${shown} of ${items.length} events` : '';
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
    const title = find('title', strip);
    strip.setAttribute('aria-label', title.textContent);
    title.remove();
    const line = strip.closest('[data-file]');
    const cardOf = event => line ? document.getElementById(`e${line.dataset.file}-${event}`) : strip.closest('article');
    const nameAt = event => line && cardOf(event) && nameOf(cardOf(event));
    watchStrip(strip, fps, tip, nameAt, event => enlarge(cardOf(event)));
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
}
