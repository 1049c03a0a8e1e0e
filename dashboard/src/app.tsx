import { useEffect, useRef } from 'preact/hooks';
import { Families } from './families/families.tsx';
import { Family } from './family/family.tsx';
import { cleanText } from './format/text.ts';
import { spanText } from './format/time.ts';
import { lazy } from './parts/lazy.tsx';
import { useStatus } from './state/api.ts';
import { ChainsContext } from './state/chains.ts';
import { silentSince } from './state/connection.ts';
import { useNow } from './state/now.ts';
import { useStore } from './state/store.ts';
import { nextTheme, theme } from './state/theme.ts';
import { followLink, usePlace } from './state/url.ts';
import { StatusPage } from './status/status.tsx';

// Not what most come for first, and paying takes code of its own.
const Wallet = lazy(async () => (await import('./wallet/wallet.tsx')).Wallet);
const Risk = lazy(async () => (await import('./risk/risk.tsx')).Risk);

const PAGES = [
  ['/', 'Families'],
  ['/wallet', 'Wallet'],
  ['/risk', 'Risk'],
  ['/status', 'Status'],
] as const;

export function App() {
  const { path } = usePlace();
  const status = useStatus();
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const here =
    PAGES.findLast(([start]) => path === start || path.startsWith(`${start}/`))?.[0] ?? '/';

  // Another page begins at its top, for readers of every kind.
  useEffect(() => {
    const [, , name = ''] = path.split('/');
    const page = PAGES.find(([start]) => start === here)![1];
    document.title = `${name === '' ? page : cleanText(decode(name), 48)} · Assay`;
    if (!first.current) {
      scrollTo(0, 0);
      main.current?.focus();
    }
    first.current = false;
  }, [path]);

  return (
    <ChainsContext.Provider value={status.data}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: links within are followed here. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a link turns a key into a click. */}
      <div class="app" onClick={followLink}>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="top">
          <a class="brand" data-own href="/">
            <Mark />
            Assay
          </a>
          <nav aria-label="Pages">
            {PAGES.map(([href, label]) => (
              <a key={href} data-own href={href} aria-current={href === here ? 'page' : undefined}>
                {label}
              </a>
            ))}
            <a href="/docs">API</a>
          </nav>
          <ThemeButton />
        </header>
        <Silence />
        <main ref={main} id="main" tabIndex={-1}>
          <Page path={path} />
        </main>
      </div>
    </ChainsContext.Provider>
  );
}

function Page({ path }: { readonly path: string }) {
  const [, page = '', name = ''] = path.split('/');
  if (page === '') return <Families />;
  if (page === 'family') return <Family key={name} slug={decode(name)} />;
  if (page === 'wallet') return <Wallet key={name} address={decode(name)} />;
  if (page === 'risk') return <Risk />;
  if (page === 'status') return <StatusPage />;
  return (
    <div class="head">
      <h1 tabIndex={-1}>There is no such page</h1>
      <p>
        <a data-own href="/">
          All vault families
        </a>
      </p>
    </div>
  );
}

/** Says so when the server stops answering; what was read stays, marked as old. */
function Silence() {
  const since = useStore(silentSince);
  const now = useNow(1_000);
  useEffect(() => {
    document.documentElement.classList.toggle('silent', since !== undefined);
  }, [since]);
  return (
    <div class="silence" role="status">
      {since !== undefined && (
        <p>
          <b>The server does not answer.</b> These are the last figures that were read, from before{' '}
          {spanText((now - since) / 1000)} ago. It is asked again every few seconds.
        </p>
      )}
    </div>
  );
}

function ThemeButton() {
  const chosen = useStore(theme);
  return (
    <button type="button" class="quiet" onClick={nextTheme} title="Colours: system, light or dark">
      <span class="sr">Colours: </span>
      {chosen}
    </button>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#14202b" />
      <path d="M7 22 14 8h4l7 14h-4.2l-4.8-10-4.8 10z" fill="#e9c46a" />
      <path d="M6 25h20" stroke="#7db0ff" stroke-width="2" />
    </svg>
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
