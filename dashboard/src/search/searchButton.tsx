import { useEffect, useState } from 'preact/hooks';
import { lazy } from '../parts/lazy.tsx';

/** Loaded when it is opened first. */
const Search = lazy(async () => (await import('./search.tsx')).Search, 1);

/** Opens the search, also by `/` and Ctrl-K. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const isShortcut = key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey;
      const isSlash = key === '/' && !ctrlKey && !metaKey && !altKey && !isTyping(event.target);
      if (!isShortcut && !isSlash) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        class="find"
        aria-haspopup="dialog"
        aria-keyshortcuts="/ Control+K"
        onClick={() => setOpen(true)}
      >
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
          <circle cx="7" cy="7" r="4.5" fill="none" stroke="currentcolor" stroke-width="1.6" />
          <path d="m10.5 10.5 4 4" stroke="currentcolor" stroke-width="1.6" />
        </svg>
        <span class="name">Search</span>
        <span class="hint" aria-hidden="true">
          /
        </span>
      </button>
      {isOpen && <Search onClose={() => setOpen(false)} />}
    </>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, select, [contenteditable]');
}
