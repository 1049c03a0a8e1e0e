import { useEffect, useRef, useState } from 'preact/hooks';
import { lazy } from '../components/lazy.tsx';

/** Loaded when it is opened first. */
const Search = lazy(async () => (await import('./search.tsx')).Search, 1);

/** Opens the search, also by `/` and Ctrl-K. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false);
  /** Typed before the dialog was loaded. */
  const early = useRef('');
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (document.querySelector('dialog.search') !== null) return;
      const isShortcut = key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey;
      const isSlash = key === '/' && !ctrlKey && !metaKey && !altKey && !isTyping(event.target);
      const isEarly = isOpen && key.length === 1 && !ctrlKey && !metaKey;
      if (!isShortcut && !isSlash && !isEarly) return;
      event.preventDefault();
      if (isEarly) early.current += key;
      else open();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isOpen]);
  return (
    <>
      <button
        type="button"
        class="find"
        aria-haspopup="dialog"
        aria-keyshortcuts="/ Control+K"
        onClick={open}
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
      {isOpen && (
        <div class="opening">
          <Search typed={() => early.current} onClose={() => setOpen(false)} />
        </div>
      )}
    </>
  );

  function open(): void {
    early.current = '';
    setOpen(true);
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, select, [contenteditable]');
}
