/**
 * The dashboard's header, the contents beside one column to read where there is room. Colours and type are those of
 * dashboard/src/theme.css; they follow the reader's system unless the reader chose.
 */
export const STYLE = `
:root { color-scheme: light; --text: #14191f; --soft: #55606b; --back: #f6f7f8; --panel: #ffffff; --raised: #eef0f2; --line: #dfe3e7; --link: #0b55b8; }
@media (prefers-color-scheme: dark) {
  :root:not([data-theme="light"]) { color-scheme: dark; --text: #e6eaee; --soft: #9ba7b3; --back: #0e1216; --panel: #151a20; --raised: #1e252d; --line: #29313a; --link: #84b6ff; }
}
:root[data-theme="dark"] { color-scheme: dark; --text: #e6eaee; --soft: #9ba7b3; --back: #0e1216; --panel: #151a20; --raised: #1e252d; --line: #29313a; --link: #84b6ff; }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; color: var(--text); background: var(--back); font: 15px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; font-variant-numeric: tabular-nums; }
h1 { margin: 24px 0 16px; font-size: 26px; line-height: 1.2; font-weight: 650; letter-spacing: -0.02em; overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: 0.15em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px; }
code, pre { font: 0.875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
code { overflow-wrap: anywhere; }
.skip { position: absolute; top: -100px; }
.skip:focus { top: 8px; z-index: 5; padding: 6px 10px; background: var(--panel); }
.head { display: flex; align-items: center; gap: 20px; height: 56px; padding: 0 24px; border-bottom: 1px solid var(--line); font-size: 14px; }
.brand { display: flex; align-items: center; gap: 8px; color: var(--text); font-weight: 650; font-size: 16px; letter-spacing: -0.01em; text-decoration: none; }
.head nav { display: flex; gap: 2px; overflow-x: auto; scrollbar-width: none; }
.head nav a { padding: 6px 10px; border-radius: 6px; color: var(--soft); text-decoration: none; white-space: nowrap; }
.head nav a:hover { color: var(--text); background: var(--raised); }
.head nav a[aria-current] { color: var(--text); font-weight: 600; background: var(--raised); }
.contents { padding: 16px 24px; border-bottom: 1px solid var(--line); font-size: 13px; }
.contents p { margin: 0; }
.contents h2 { margin: 16px 0 4px; font-size: 12px; font-weight: 650; color: var(--soft); }
.contents h2::first-letter { text-transform: uppercase; }
.contents ul { margin: 0; padding: 0; list-style: none; }
.contents li { overflow-wrap: anywhere; padding: 2px 0; }
.contents a { text-decoration: none; }
.contents a:hover { text-decoration: underline; }
.contents [aria-current] { font-weight: 600; color: inherit; }
main { min-width: 0; max-width: 60rem; padding: 0 24px 64px; }
main:focus { outline: none; }
h1 small { color: var(--soft); font-weight: 400; font-size: 1rem; }
main > h2 { margin: 40px 0 8px; font-size: 18px; line-height: 1.3; letter-spacing: -0.01em; }
main > h2::first-letter { text-transform: uppercase; }
main > h3 { margin: 28px 0 8px; font-size: 15px; }
section { margin: 16px 0; padding: 4px 20px 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--panel); }
section h3 { margin: 16px 0 8px; font-size: 16px; }
section h3 code { font-weight: 650; }
h4 { margin: 20px 0 4px; font-size: 14px; }
small { color: var(--soft); }
.wide { margin: 16px 0; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 14px; }
th, td { padding: 6px 10px; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-size: 12px; font-weight: 600; }
td p { margin: 0 0 4px; }
pre { padding: 12px; overflow-x: auto; background: var(--raised); border-radius: 6px; }
pre code { font-size: inherit; overflow-wrap: normal; }
summary { cursor: pointer; color: var(--soft); }
@media (max-width: 40rem) {
  .head { flex-wrap: wrap; gap: 4px 12px; height: auto; padding: 10px 16px 6px; }
  .head nav { flex: 1 1 100%; margin-inline: -10px; }
  .contents { max-height: 40vh; overflow-y: auto; }
  .contents, main { padding-inline: 16px; }
  section { padding-inline: 14px; }
  td:first-child { min-width: 7rem; }
  td:last-child { min-width: 14rem; }
}
@media (min-width: 64rem) {
  body { display: grid; grid-template: 56px 1fr / 19rem minmax(0, 1fr); }
  .head { grid-column: 1 / -1; }
  .contents { position: sticky; top: 0; height: 100vh; overflow-y: auto; border-bottom: 0; border-right: 1px solid var(--line); }
  main { padding-inline: 40px; }
}
`;
