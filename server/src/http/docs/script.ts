/**
 * What the pages do beyond their text: the color scheme that the reader chose on the dashboard
 * (dashboard/src/state/theme.ts), search, copy buttons, and old addresses of operations. Pages are complete without it.
 */
export const SCRIPT = `
const root = document.documentElement;
function chosen() {
  try {
    const found = localStorage.getItem('assay-theme');
    return found === 'light' || found === 'dark' ? found : 'system';
  } catch {
    return 'system';
  }
}
function show(theme) {
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
}
let theme = chosen();
show(theme);

addEventListener('DOMContentLoaded', () => {
  prepareTheme();
  prepareSearch();
  for (const code of document.querySelectorAll('.code')) addCopy(code);
  follow();
  addEventListener('hashchange', follow);
});

function prepareTheme() {
  const button = document.querySelector('.theme');
  const name = button.querySelector('b');
  name.textContent = theme;
  button.hidden = false;
  button.addEventListener('click', () => {
    theme = { system: 'light', light: 'dark', dark: 'system' }[theme];
    try {
      localStorage.setItem('assay-theme', theme);
    } catch {}
    show(theme);
    name.textContent = theme;
  });
}

// An operation had its place on the reference's only page.
function follow() {
  const moved = document.getElementById(decode(location.hash.slice(1)));
  if (moved?.matches('li.moved')) location.replace(moved.querySelector('a').href);
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function addCopy(code) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    button.textContent = (await copy(code.querySelector('pre'))) ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  code.append(button);
}

async function copy(pre) {
  try {
    await navigator.clipboard.writeText(pre.textContent);
    return true;
  } catch {
    // Without HTTPS, or without permission: the text is at least selected.
    getSelection().selectAllChildren(pre);
    return false;
  }
}

function prepareSearch() {
  const box = document.querySelector('[role=search]');
  const input = box.querySelector('input');
  const status = box.querySelector('[role=status]');
  const list = box.querySelector('ul');
  const base = box.dataset.root;
  let entries;
  box.hidden = false;

  async function load() {
    entries ??= fetch(base + 'docs/search.json').then((response) => {
      if (!response.ok) throw new Error(response.status);
      return response.json();
    });
    try {
      return await entries;
    } catch (error) {
      entries = undefined;
      throw error;
    }
  }

  async function search() {
    const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
    document.body.classList.toggle('searching', words.length > 0);
    list.replaceChildren();
    status.textContent = '';
    if (words.length === 0) return;
    const asked = input.value;
    try {
      const found = rank(await load(), words);
      if (input.value !== asked) return;
      status.textContent = found.length === 0 ? 'No results' : found.length === 1 ? '1 result' : found.length + ' results';
      list.replaceChildren(...found.map((entry) => item(entry, words)));
    } catch {
      status.textContent = 'Search is unavailable. Try again.';
    }
  }

  function item({ title, page, url, text }, words) {
    const row = document.createElement('li');
    const link = document.createElement('a');
    link.href = base + url;
    link.textContent = title;
    const place = document.createElement('small');
    const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 30);
    place.textContent = page + (text === '' ? '' : ': ' + (at > 0 ? '…' : '') + text.slice(at, at + 90));
    row.append(link, place);
    return row;
  }

  input.addEventListener('focus', () => load().catch(() => {}), { once: true });
  input.addEventListener('input', search);
  if (input.value !== '') search();
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.matches('input, textarea, select')) return;
    event.preventDefault();
    input.focus();
  });
  box.addEventListener('keydown', (event) => {
    const links = [input, ...list.querySelectorAll('a')];
    const here = links.indexOf(document.activeElement);
    if (event.key === 'ArrowDown') links[Math.min(here + 1, links.length - 1)].focus();
    else if (event.key === 'ArrowUp') links[Math.max(here - 1, 0)].focus();
    else if (event.key === 'Enter' && here === 0) links[1]?.click();
    else if (event.key === 'Escape') {
      input.value = '';
      input.focus();
      search();
    } else return;
    event.preventDefault();
  });
}

// Every word must occur; a word of the title counts more than one of the text.
function rank(entries, words) {
  const scored = entries.map((entry) => {
    const title = entry.title.toLowerCase();
    const whole = (entry.page + ' ' + entry.text).toLowerCase();
    const scores = words.map((word) => (title === word ? 16 : title.startsWith(word) ? 8 : title.includes(word) ? 4 : whole.includes(word) ? 1 : 0));
    return { entry, score: scores.includes(0) ? 0 : scores.reduce((sum, one) => sum + one) };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 12)
    .map(({ entry }) => entry);
}
`;
