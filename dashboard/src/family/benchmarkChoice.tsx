import { useState } from 'preact/hooks';
import { Select } from '../components/select.tsx';
import { useVaults } from '../state/api.ts';
import { setQuery, usePlace } from '../state/url.ts';
import { type Benchmark, readBenchmark } from './benchmark.ts';

/** Returns what the family is compared with, from the URL. */
export function useBenchmark(slug: string): Benchmark | undefined {
  const text = usePlace().query.get('vs') ?? '';
  const others = (useVaults().data ?? []).map((one) => one.slug).filter((one) => one !== slug);
  return readBenchmark(text, others);
}

const USUAL_RATE = '4';

/** Chooses another family or a yearly rate to compare with. */
export function BenchmarkChoice({ slug }: { readonly slug: string }) {
  const benchmark = useBenchmark(slug);
  const others = (useVaults().data ?? []).filter((one) => one.slug !== slug);
  const chosen =
    benchmark === undefined ? '' : benchmark.type === 'rate' ? 'rate' : `family ${benchmark.slug}`;
  return (
    <>
      <Select
        class="inline"
        label="Benchmark"
        options={[
          ['', 'No benchmark'],
          ['rate', 'A yearly rate'],
          ...others.map((one) => [`family ${one.slug}`, one.slug] as const),
        ]}
        value={chosen}
        onChoose={(value) =>
          setQuery({ vs: value === 'rate' ? `${USUAL_RATE}%` : value.replace('family ', '') })
        }
      />
      {benchmark?.type === 'rate' && <Rate percent={benchmark.percent} />}
    </>
  );
}

function Rate({ percent }: { readonly percent: number }) {
  const [text, setText] = useState(String(percent));
  return (
    <label class="rate">
      <span class="sr">Yearly rate in percent</span>
      <input
        type="number"
        min="0"
        max="1000"
        step="0.01"
        value={text}
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          if (readBenchmark(`${value}%`, []) !== undefined) setQuery({ vs: `${value}%` });
        }}
      />
      %
    </label>
  );
}
