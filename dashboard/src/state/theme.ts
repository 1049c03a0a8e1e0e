import { createStore } from './store.ts';

export type Theme = 'system' | 'light' | 'dark';
const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const KEY = 'assay-theme';

export const theme = createStore<Theme>(readTheme());
/** Increases with each change of the color scheme, so that canvases are redrawn. */
export const colorScheme = createStore(0);

apply();
theme.subscribe(apply);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);

export function nextTheme(): void {
  const next = NEXT[theme.get()];
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  theme.set(next);
}

function readTheme(): Theme {
  try {
    const found = localStorage.getItem(KEY);
    return found === 'light' || found === 'dark' ? found : 'system';
  } catch {
    return 'system';
  }
}

function apply(): void {
  const { dataset } = document.documentElement;
  const chosen = theme.get();
  if (chosen === 'system') delete dataset.theme;
  else dataset.theme = chosen;
  repaint();
}

function repaint(): void {
  colorScheme.set(colorScheme.get() + 1);
}
