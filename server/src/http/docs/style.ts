/**
 * One column to read, the operations beside it where there is room; colours follow the reader's system. Colours and type
 * are those of dashboard/src/theme.css.
 */
export const STYLE = `
:root { color-scheme: light dark; --text: #14191f; --soft: #55606b; --back: #f6f7f8; --panel: #ffffff; --raised: #eef0f2; --line: #dfe3e7; --link: #0b55b8; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6eaee; --soft: #9ba7b3; --back: #0e1216; --panel: #151a20; --raised: #1e252d; --line: #29313a; --link: #84b6ff; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; color: var(--text); background: var(--back); font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; font-variant-numeric: tabular-nums; }
h1 { font-size: 26px; line-height: 1.2; font-weight: 650; letter-spacing: -0.02em; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font: 0.875em/1.5 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
nav { padding: 1rem 1.5rem; background: var(--panel); border-bottom: 1px solid var(--line); }
nav h2 { margin: 1rem 0 0.25rem; font-size: 0.8rem; color: var(--soft); text-transform: uppercase; letter-spacing: 0.05em; }
nav ul { margin: 0; padding: 0; list-style: none; font-size: 0.85rem; }
nav li { overflow-wrap: anywhere; padding: 0.15rem 0; }
nav [aria-current] { font-weight: 600; color: inherit; }
main { max-width: 60rem; padding: 1rem 1.5rem 4rem; }
h1 small { color: var(--soft); font-weight: 400; font-size: 1rem; }
main > h2 { margin-top: 3rem; }
main > h2::first-letter { text-transform: uppercase; }
section { margin: 1.5rem 0; padding: 0.5rem 1.25rem 1.25rem; border: 1px solid var(--line); border-radius: 10px; background: var(--panel); }
h4 { margin: 1.25rem 0 0.25rem; }
small { color: var(--soft); }
.wide { margin: 1rem 0; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
th, td { padding: 0.4rem 0.6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; }
td p { margin: 0 0 0.25rem; }
pre { padding: 0.75rem; overflow-x: auto; background: var(--raised); border-radius: 6px; }
pre code { font-size: inherit; overflow-wrap: normal; }
summary { cursor: pointer; color: var(--soft); }
@media (min-width: 64rem) {
  body { display: grid; grid-template-columns: 20rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; border-bottom: 0; border-right: 1px solid var(--line); }
}
`;
