import { useState } from 'preact/hooks';
import { Card } from '../components/card.tsx';
import { Select } from '../components/select.tsx';

const METHODS = [
  ['average', 'Average cost'],
  ['fifo', 'FIFO'],
  ['lifo', 'LIFO'],
  ['hifo', 'HIFO'],
] as const;
const FORMATS = [
  ['journal', 'Journal'],
  ['koinly', 'Koinly'],
  ['cointracking', 'CoinTracking'],
] as const;
/** Years to choose from; the API has earlier ones. */
const YEARS = 6;

/** Downloads the statement of a calendar year for one owner, as the server computes it. */
export function StatementCard({ wallets }: { readonly wallets: readonly string[] }) {
  const thisYear = new Date().getUTCFullYear();
  const [year, setYear] = useState(String(thisYear));
  const [method, setMethod] = useState<string>('average');
  const [format, setFormat] = useState<string>('journal');
  const [timeZone, setTimeZone] = useState('UTC');
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [first, ...others] = wallets;
  const query = new URLSearchParams({
    ...{ year, method, format, timeZone },
    ...(others.length > 0 && { wallets: others.join(',') }),
  });
  const years = Array.from({ length: YEARS }, (_, i) => String(thisYear - i));
  return (
    <Card id="statement" title="Statement of a year">
      <div class="ask">
        <Select
          class="narrow"
          label="Year"
          value={year}
          options={years.map((one) => [one, one])}
          onChoose={setYear}
        />
        <Select
          class="narrow"
          label="Cost method"
          value={method}
          options={METHODS}
          onChoose={setMethod}
        />
        <Select
          class="narrow"
          label="Format"
          value={format}
          options={FORMATS}
          onChoose={setFormat}
        />
        {ownZone !== 'UTC' && (
          <Select
            class="narrow"
            label="Time zone"
            value={timeZone}
            options={['UTC', ownZone].map((one) => [one, one])}
            onChoose={setTimeZone}
          />
        )}
        <a
          class="button"
          href={`/v1/users/${first}/statement.csv?${query}`}
          download={`statement-${year}-${method}-${format}.csv`}
        >
          Download CSV
        </a>
      </div>
      <p class="soft">
        All movements of the year. In a journal, each entry has its cost and result by the chosen
        method. A transfer between the wallets of a statement is left out.
      </p>
    </Card>
  );
}
