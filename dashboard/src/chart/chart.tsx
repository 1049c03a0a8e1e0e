import { lazy } from '../components/lazy.tsx';

/** A third of all code, loaded while the first data is read. */
export const loadPlot = () => import('./plot.tsx');

export const Plot = lazy(async () => (await loadPlot()).Plot, 8);
