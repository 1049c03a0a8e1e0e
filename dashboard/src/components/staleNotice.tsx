import type { Status } from '@assay/client';
import { momentText } from '../format/time.ts';

const STATE_TEXT: Readonly<Record<string, string>> = {
  stale: 'The primary database is unavailable, so data comes from a replica',
  'read-only': 'The database rejects writes, so nothing new is recorded',
  full: 'The database is full, so nothing new is recorded',
};

/** Shows since when the data is stale. Always rendered, so that screen readers announce the text. */
export function StaleNotice({ database }: { readonly database: Status['database'] | undefined }) {
  const text = STATE_TEXT[database?.state ?? ''];
  const since = database?.since;
  return (
    <div class="stale" role="status">
      {text !== undefined && since && (
        <p>
          <b>
            No new data since <time dateTime={since}>{momentText(Date.parse(since))}</time>.
          </b>{' '}
          {text}.
        </p>
      )}
    </div>
  );
}
