/** The element of that id; the page has it, or it is not this page. */
export function byId<T extends HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element #${id}`);
  return element as T;
}

/** A new element with properties and children. */
export function made<K extends keyof HTMLElementTagNameMap>(
  tag: K, properties: Partial<HTMLElementTagNameMap[K]> = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Fills a select with names; the value is the place in the list. */
export function fillChoices(select: HTMLSelectElement, names: readonly string[]): void {
  select.replaceChildren(...names.map((name, i) => made('option', { value: String(i), textContent: name })));
}

const grouping = new Intl.NumberFormat('en');

/** `26,000` */
export function grouped(count: number): string {
  return grouping.format(count);
}

/** `1 pair`, `2 pairs` */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Three digits that count, in milliseconds. */
export function milliseconds(time: number): string {
  if (!Number.isFinite(time)) return '–';
  if (time >= 100) return `${grouped(Math.round(time))} ms`;
  return `${time.toPrecision(time < 0.1 ? 2 : 3)} ms`;
}

/** Offers text as a file. */
export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  made('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
