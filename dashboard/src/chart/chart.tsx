import { lazy } from '../parts/lazy.tsx';

/** The code that draws is a third of all: it comes while the first figures are read. */
export const loadPlot = () => import('./plot.tsx');

export const Plot = lazy(async () => (await loadPlot()).Plot, 8);
