/** Tabs as keyboards expect them: arrows move between them, one of them is in the tab order. */
export class Tabs {
  private readonly tabs: HTMLButtonElement[];

  constructor(list: HTMLElement, private readonly chosen: (name: string) => void) {
    this.tabs = [...list.querySelectorAll<HTMLButtonElement>('[role=tab]')];
    list.addEventListener('click', event => {
      const tab = (event.target as HTMLElement).closest<HTMLButtonElement>('[role=tab]');
      if (tab) this.choose(tab.dataset.view ?? '');
    });
    list.addEventListener('keydown', event => {
      const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const now = this.tabs.findIndex(tab => tab.getAttribute('aria-selected') === 'true');
      const last = this.tabs.length - 1;
      const next = Number.isFinite(step) ? (now + step + this.tabs.length) % this.tabs.length : step < 0 ? 0 : last;
      this.choose(this.tabs[next].dataset.view ?? '');
      this.tabs[next].focus();
    });
  }

  has(name: string | undefined): boolean {
    return this.tabs.some(tab => tab.dataset.view === name);
  }

  choose(name: string): void {
    for (const tab of this.tabs) {
      const isChosen = tab.dataset.view === name;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
      if (panel) panel.hidden = !isChosen;
    }
    this.chosen(name);
  }
}
