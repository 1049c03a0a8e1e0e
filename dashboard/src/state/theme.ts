import { createStore } from './store.ts';

export type Theme = 'system' | 'light' | 'dark';
const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const KEY = 'assay-theme';

export const theme = createStore<Theme>(readTheme());
/** Grows with every change of colours: what is painted on a canvas has to be painted anew. */
export const colours = createStore(0);

apply();
theme.subscribe(apply);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);

export function nextTheme(): void {
  const next = NEXT[theme.get()];
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Kept until the page is closed.
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
  colours.set(colours.get() + 1);
}
