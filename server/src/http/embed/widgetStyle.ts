import { THEME } from '../docs/look.ts';

/** The dashboard's theme, in a frame of any width. */
export const WIDGET_STYLE = `${THEME}
body { background: var(--panel); }
main { padding: 12px 16px; }
h1 { margin: 0; font-size: 16px; line-height: 1.3; overflow-wrap: anywhere; }
p { margin: 0; }
.at { color: var(--soft); font-size: 12px; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(120px, 1fr)); gap: 8px 16px; margin: 10px 0; }
dt, .note, figcaption, .ends, .none { color: var(--soft); font-size: 12px; }
dd { margin: 0; font-size: 16px; font-weight: 600; overflow-wrap: anywhere; }
dd.note { font-size: 12px; font-weight: 400; }
figure { margin: 0; }
svg { display: block; width: 100%; height: 120px; margin: 4px 0; }
path { fill: none; stroke: var(--series-1); stroke-width: 2; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
.ends { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 16px; }
.none { padding: 24px 0; }
`;
