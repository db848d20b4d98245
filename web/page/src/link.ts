/** What the address says behind `#`: a character of the zoo, and its frame; or a file that `supple view` serves. */
export interface Link {
  zoo?: string;
  detail: number;
  file?: string;
  view?: string;
  clip?: string;
  seconds?: number;
}

export function readLink(hash: string): Link {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const text = (name: string) => fields.get(name) ?? undefined;
  const number = (name: string) => {
    const value = Number(fields.get(name) ?? NaN);
    return Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  return {
    zoo: text('zoo'), detail: Math.floor(number('detail') ?? 0), file: text('file'), view: text('view'), clip: text('clip'),
    seconds: number('t'),
  };
}

export function writeLink(link: Link): string {
  const fields = new URLSearchParams({ zoo: link.zoo ?? '', detail: String(link.detail), view: link.view ?? '' });
  if (link.clip !== undefined) fields.set('clip', link.clip);
  if (link.seconds !== undefined) fields.set('t', link.seconds.toFixed(3));
  return `${location.href.split('#')[0]}#${fields}`;
}
