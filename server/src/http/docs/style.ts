import { THEME } from './look.ts';

/** The dashboard's theme and header, and the contents next to one column of text if there is room. */
export const STYLE = `${THEME}
body { font-size: 15px; line-height: 1.6; }
h1 { margin: 24px 0 16px; font-size: 26px; line-height: 1.2; font-weight: 650; letter-spacing: -0.02em; overflow-wrap: anywhere; }
code { overflow-wrap: anywhere; }
.skip { position: absolute; top: -100px; }
.skip:focus { top: 8px; z-index: 5; padding: 6px 10px; background: var(--panel); }
[hidden] { display: none !important; }
.top { display: flex; align-items: center; gap: 20px; min-height: 56px; padding: 0 24px; border-bottom: 1px solid var(--line); font-size: 14px; }
.brand { display: flex; align-items: center; gap: 8px; color: var(--text); font-weight: 650; font-size: 16px; letter-spacing: -0.01em; text-decoration: none; }
.top nav { display: flex; gap: 2px; margin-right: auto; overflow-x: auto; scrollbar-width: none; }
.top nav a { padding: 6px 10px; border-radius: 6px; color: var(--soft); text-decoration: none; white-space: nowrap; }
.top nav a:hover { color: var(--text); background: var(--raised); }
.top nav a[aria-current] { color: var(--text); font-weight: 600; background: var(--raised); }
button { min-height: 28px; padding: 2px 8px; border: 1px solid transparent; border-radius: 6px; background: none; color: var(--soft); font: inherit; font-size: 12px; cursor: pointer; }
button:hover { color: var(--text); background: var(--raised); }
.theme { display: inline-flex; align-items: center; gap: 6px; }
.theme b { font-weight: inherit; }
.side { display: flex; flex-wrap: wrap; align-items: start; gap: 8px 12px; padding: 12px 24px; border-bottom: 1px solid var(--line); font-size: 13px; }
.side label { padding: 6px 10px; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); cursor: pointer; }
.side label::before { content: "▸ "; }
#contents:checked + label::before { content: "▾ "; }
#contents:focus-visible + label { outline: 2px solid var(--accent); outline-offset: 2px; }
.contents { display: none; flex-basis: 100%; }
#contents:checked ~ .contents { display: block; }
[role=search] { flex: 1; min-width: 0; }
[role=search] input { width: 100%; min-height: 34px; padding: 4px 10px; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); color: inherit; font: inherit; }
[role=search] input::placeholder { color: var(--soft); opacity: 1; }
[role=search] p { margin: 6px 0 0; color: var(--soft); font-size: 12px; }
[role=search] p:empty { display: none; }
[role=search] ul { margin: 4px 0 0; padding: 0; list-style: none; }
[role=search] li { padding: 4px 0; overflow-wrap: anywhere; }
[role=search] li small { display: block; }
.searching .contents, .searching .side label { display: none !important; }
.contents p { margin: 0; }
.contents h2 { margin: 16px 0 4px; font-size: 12px; font-weight: 650; color: var(--soft); }
.contents ul { margin: 0; padding: 0; list-style: none; }
.contents ul ul { margin-left: 10px; padding-left: 8px; border-left: 1px solid var(--line); }
.contents li { overflow-wrap: anywhere; padding: 2px 0; }
.contents a { text-decoration: none; }
.contents a:hover { text-decoration: underline; }
.contents [aria-current] { font-weight: 600; color: inherit; }
main { min-width: 0; max-width: 60rem; padding: 0 24px 64px; }
main:focus { outline: none; }
h1 small { color: var(--soft); font-weight: 400; font-size: 1rem; }
main > h2 { margin: 40px 0 8px; font-size: 18px; line-height: 1.3; letter-spacing: -0.01em; }
main > h3 { margin: 28px 0 8px; font-size: 15px; }
main > ul.operations { padding: 0; list-style: none; }
.operations li { padding: 3px 0; }
.operations a { margin-right: 10px; }
section { margin: 16px 0; padding: 4px 20px 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--panel); }
section h2 { margin: 16px 0 8px; font-size: 16px; }
section h2 code { font-weight: 650; }
section h3 { margin: 20px 0 4px; font-size: 14px; }
:target { scroll-margin-top: 8px; }
section:target, .moved:target { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 10px; }
.wide { margin: 16px 0; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 14px; }
th, td { padding: 6px 10px; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-size: 12px; font-weight: 600; }
td p { margin: 0 0 4px; }
td code { overflow-wrap: break-word; }
.code { position: relative; margin: 16px 0; }
.code pre { margin: 0; padding: 12px 76px 12px 12px; overflow-x: auto; background: var(--raised); border-radius: 6px; }
.copy { position: absolute; top: 6px; right: 6px; border-color: var(--line); background: var(--panel); }
pre code { font-size: inherit; overflow-wrap: normal; }
summary { cursor: pointer; color: var(--soft); }
@media (pointer: coarse) {
  .top nav a, .brand, button, .side label, [role=search] input, summary { min-height: 44px; }
  .top nav a, .brand, .side label, summary { display: inline-flex; align-items: center; }
  .contents li, [role=search] li { padding: 10px 0; }
}
@media (max-width: 720px) {
  .top { flex-wrap: wrap; gap: 4px 10px; padding: 10px 16px 6px; }
  .top nav { order: 3; flex-basis: 100%; margin: 0 -8px; }
  .top nav a { padding: 6px 8px; }
  .theme { margin-left: auto; }
  .side, main { padding-inline: 16px; }
  section { padding-inline: 14px; }
  h1 { font-size: 22px; }
  td:first-child { min-width: 7rem; }
  td:last-child { min-width: 14rem; }
}
@media (min-width: 64rem) {
  body { display: grid; grid-template: auto 1fr / 19rem minmax(0, 1fr); }
  .top { grid-column: 1 / -1; }
  .side { position: sticky; top: 0; display: block; height: 100vh; padding-block: 16px; overflow-y: auto; border-bottom: 0; border-right: 1px solid var(--line); }
  .side label, #contents { display: none; }
  .contents { display: block; margin-top: 16px; }
  main { padding-inline: 40px; }
}
`;
