import { byId } from './dom';

const KEY = 'supple colours';

/** Dark, light, or as the system has it. `changed` is called afterwards. */
export function watchTheme(changed: () => void): void {
  const choice = byId<HTMLSelectElement>('theme');
  const apply = () => {
    document.documentElement.style.colorScheme = choice.value;
    changed();
  };
  try {
    choice.value = localStorage.getItem(KEY) ?? choice.value;
  } catch {
    // Without storage the system decides.
  }
  choice.addEventListener('change', () => {
    try {
      localStorage.setItem(KEY, choice.value);
    } catch {
      // It holds until the page is closed.
    }
    apply();
  });
  apply();
}
