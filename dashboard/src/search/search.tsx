import { useEffect, useRef, useState } from 'preact/hooks';
import { cleanText, plural } from '../format/text.ts';
import { priceText, useSettings } from '../state/settings.ts';
import { type Found, isAddress, isTransactionHash, rank } from './rank.ts';
import { useEntries, useTransaction, walletEntry } from './sources.ts';

const MAX_OF_KIND = 6;
const KINDS = ['Families', 'Pools', 'Wallets', 'Transactions', 'Docs'] as const;

/** Searches families, pools, wallets, transactions, and the docs. Risk nodes are searched on their page, for a price. */
export function Search({
  typed,
  onClose,
}: {
  readonly typed: () => string;
  readonly onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState(typed);
  const query = text.trim();
  const entries = useEntries();
  const transaction = useTransaction(isTransactionHash(query) ? query : undefined);
  const found = isTransactionHash(query)
    ? (transaction.data ?? [])
    : [...walletOf(query), ...rank(entries, query, MAX_OF_KIND)];
  useEffect(() => dialog.current!.showModal(), []);

  return (
    <dialog
      ref={dialog}
      class="search"
      aria-label="Search"
      onClose={onClose}
      onClick={(event) => {
        // The backdrop, or a link that was followed.
        const target = event.target as Element;
        if (target === dialog.current || target.closest('a')) dialog.current!.close();
      }}
      onKeyDown={onKey}
    >
      <search>
        <input
          type="search"
          aria-label="Search families, pools, wallets, transactions, and docs"
          placeholder="Family, pool, wallet, transaction, or docs"
          autocomplete="off"
          spellcheck={false}
          maxLength={128}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p class="soft" role="status">
          {statusText(query, found.length, transaction)}
        </p>
        {KINDS.map((kind) => (
          <Group key={kind} kind={kind} found={found.filter((one) => one.kind === kind)} />
        ))}
        {query !== '' && !isTransactionHash(query) && <RiskSearch query={query} />}
      </search>
    </dialog>
  );

  /** The arrow keys move through the results; Enter in the field opens the first one. */
  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      // A search field would use the first Escape to clear itself.
      event.preventDefault();
      dialog.current!.close();
      return;
    }
    const stops = [...dialog.current!.querySelectorAll<HTMLElement>('input, a')];
    const here = stops.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'ArrowDown') stops[Math.min(here + 1, stops.length - 1)]?.focus();
    else if (event.key === 'ArrowUp') stops[Math.max(here - 1, 0)]?.focus();
    // The last link leads to paid search: Enter alone never goes there.
    else if (event.key === 'Enter' && here === 0 && found.length > 0) stops[1]?.click();
    else return;
    event.preventDefault();
  }
}

function Group({ kind, found }: { readonly kind: string; readonly found: readonly Found[] }) {
  if (found.length === 0) return null;
  return (
    <section aria-label={kind}>
      <h2>{kind}</h2>
      <ul>
        {found.map(({ title, note, href }) => (
          <li key={`${href} ${title} ${note}`}>
            {/* The docs are separate pages. */}
            <a href={href} {...(kind !== 'Docs' && { 'data-own': true })}>
              <bdi>{title}</bdi>
              <small>{note}</small>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Leads to the page that shows the price again, on the button that pays. */
function RiskSearch({ query }: { readonly query: string }) {
  const payments = useSettings().data?.payments;
  if (!payments) return null;
  return (
    <section aria-label="Risk nodes">
      <h2>Risk nodes</h2>
      <ul>
        <li>
          <a data-own href={`/risk?q=${encodeURIComponent(query)}`}>
            Search risk nodes for “{cleanText(query, 32)}”
            <small>
              {priceText(BigInt(payments.prices.search))} per search, paid on the next page
            </small>
          </a>
        </li>
      </ul>
    </section>
  );
}

function walletOf(query: string): Found[] {
  return isAddress(query) ? [walletEntry(query)] : [];
}

function statusText(
  query: string,
  count: number,
  { loading, error }: { readonly loading: boolean; readonly error: unknown },
): string {
  if (query === '') return 'Type to search. Arrow keys select, Enter opens, Escape closes.';
  if (loading) return 'Searching…';
  if (error !== undefined) return 'The transaction could not be looked up. Try again.';
  if (count > 0) return plural(count, 'result');
  return isTransactionHash(query)
    ? 'No deposit or redemption of a family on this server has this hash.'
    : 'No results';
}
