import { useEffect, useRef } from 'preact/hooks';
import { lazy } from './components/lazy.tsx';
import { StaleNotice } from './components/staleNotice.tsx';
import { Families } from './families/families.tsx';
import { Family } from './family/family.tsx';
import { cleanText } from './format/text.ts';
import { longSpanText } from './format/time.ts';
import { SearchButton } from './search/searchButton.tsx';
import { useStatus } from './state/api.ts';
import { ChainsContext } from './state/chains.ts';
import { silentSince } from './state/connection.ts';
import { feedOpen, followFeed } from './state/feed.ts';
import { useNow } from './state/now.ts';
import { reload } from './state/queries.ts';
import { restoreScroll } from './state/scroll.ts';
import { useStore } from './state/store.ts';
import { nextTheme, theme } from './state/theme.ts';
import { followLink, usePlace } from './state/url.ts';
import { StatusPage } from './status/status.tsx';

// Loaded on demand: most visits start on another page, and the payment code is large.
const Wallet = lazy(async () => (await import('./wallet/wallet.tsx')).Wallet);
const Alerts = lazy(async () => (await import('./alerts/alerts.tsx')).Alerts);
const Risk = lazy(async () => (await import('./risk/risk.tsx')).Risk);

const PAGES = [
  ['/', 'Families'],
  ['/wallet', 'Wallet'],
  ['/risk', 'Risk'],
  ['/alerts', 'Alerts'],
  ['/status', 'Status'],
] as const;

export function App() {
  const place = usePlace();
  const { path, scroll } = place;
  const status = useStatus();
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const here =
    PAGES.findLast(([start]) => path === start || path.startsWith(`${start}/`))?.[0] ?? '/';

  // A new page starts at the top and takes the focus. Going back restores the scroll position.
  useEffect(() => {
    const [, , name = ''] = path.split('/');
    const page = PAGES.find(([start]) => start === here)![1];
    const title = !isPage(path) ? 'Page not found' : name === '' ? page : decode(name);
    document.title = `${cleanText(title, 48)} · Assay`;
    if (!first.current) {
      main.current?.focus({ preventScroll: true });
      if (scroll === undefined) scrollTo(0, 0);
    }
    first.current = false;
  }, [path]);
  useEffect(() => {
    const leave = followFeed('/v1/events/stream');
    // A feed that ends is the first sign of a server that stopped.
    const stop = feedOpen.subscribe(() => {
      if (!feedOpen.get() && !document.hidden) reload('status');
    });
    return () => {
      stop();
      leave();
    };
  }, []);
  useEffect(() => (scroll === undefined ? undefined : restoreScroll(scroll)), [place]);

  return (
    <ChainsContext.Provider value={status.data ?? (status.error === undefined ? undefined : null)}>
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
              <a
                key={href}
                data-own
                href={href}
                aria-current={href === here && isPage(path) ? 'page' : undefined}
              >
                {label}
              </a>
            ))}
            <a href="/docs">Docs</a>
          </nav>
          <SearchButton />
          <ThemeButton />
        </header>
        <Silence />
        <StaleNotice database={status.data?.database} />
        <main ref={main} id="main" tabIndex={-1}>
          <Page path={path} />
        </main>
      </div>
    </ChainsContext.Provider>
  );
}

function Page({ path }: { readonly path: string }) {
  const [, page = '', name = ''] = path.split('/');
  if (!isPage(path)) return <NoPage />;
  if (page === '') return <Families />;
  if (page === 'family') return <Family key={name} slug={decode(name)} />;
  if (page === 'wallet') return <Wallet key={name} address={decode(name)} />;
  if (page === 'risk') return <Risk nodeId={decode(name)} />;
  if (page === 'alerts') return <Alerts />;
  return <StatusPage />;
}

/** Must match PAGES in server/src/http/dashboard.ts. */
function isPage(path: string): boolean {
  return /^\/($|family\/[^/]+$|wallet$|wallet\/[^/]*$|risk$|risk\/[^/]+$|alerts$|status$)/.test(
    path,
  );
}

function NoPage() {
  return (
    <div class="head">
      <h1 tabIndex={-1}>Page not found</h1>
      <p>
        <a data-own href="/">
          All vault families
        </a>
      </p>
    </div>
  );
}

/** Shows a notice while the server is offline. The last data stays on screen, marked as old. */
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
          <b>Can't reach the server.</b> No response for {longSpanText((now - since) / 1000)}.
          Showing the last data received. Retrying…
        </p>
      )}
    </div>
  );
}

function ThemeButton() {
  const chosen = useStore(theme);
  return (
    <button
      type="button"
      class="quiet scheme"
      onClick={nextTheme}
      title="Color scheme: system, light, or dark"
    >
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <circle cx="8" cy="8" r="6.5" fill="none" stroke="currentcolor" stroke-width="1.5" />
        <path d="M8 1.5a6.5 6.5 0 0 1 0 13z" fill="currentcolor" />
      </svg>
      <span class="sr">Color scheme: </span>
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
