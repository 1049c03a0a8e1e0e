import { getAllocationSeries, getSplitSeries, type Vault } from '@assay/client';
import { useMemo } from 'preact/hooks';
import { Plot } from '../chart/chart.tsx';
import type { Line } from '../chart/line.ts';
import { type Range, seriesQuery } from '../chart/ranges.ts';
import { decimalText, exactAmount, shortNumber, toNumber } from '../format/amount.ts';
import { cleanText } from '../format/text.ts';
import { Card } from '../parts/card.tsx';
import { Choice } from '../parts/choice.tsx';
import { TakeAway } from '../parts/download.tsx';
import { Await, Empty } from '../parts/states.tsx';
import { client } from '../state/api.ts';
import { useChainName } from '../state/chains.ts';
import { useLive } from '../state/live.ts';
import { useChoice } from '../state/url.ts';
import { largestPools, type PoolTick } from './largestPools.ts';

/** Parts of the value at one time: their amounts, by name. */
interface Parts {
  readonly names: readonly string[];
  readonly ticks: readonly { readonly at: string; readonly amounts: readonly bigint[] }[];
  readonly json: unknown;
}

const KINDS = [
  ['split', 'Split'],
  ['pools', 'Pools'],
] as const;

/** What the value consisted of over time, in the range of the chart above. */
export function Composition({ vault }: { readonly vault: Vault<bigint> }) {
  const [kind, setKind] = useChoice<'split' | 'pools'>('parts', ['split', 'pools']);
  const [range] = useChoice<Range>('range', ['30d', '7d', '90d', 'all']);
  const chainName = useChainName();
  const { slug } = vault;
  const live = useLive(
    `${kind} ${slug} ${range}`,
    (signal) => (kind === 'split' ? readSplit(signal) : readPools(signal)),
    60_000,
  );
  return (
    <Card
      id="composition"
      title="Composition over time"
      aside={<Choice label="Parts" choices={KINDS} value={kind} onChoose={setKind} />}
    >
      <Await live={live} lines={6}>
        {(parts) =>
          parts.ticks.length === 0 ? (
            <Empty>Nothing was measured in this range yet.</Empty>
          ) : (
            <PartsPlot parts={parts} vault={vault} name={`${slug}-${kind}-${range}`} />
          )
        }
      </Await>
    </Card>
  );

  async function readSplit(signal: AbortSignal): Promise<Parts> {
    const query = seriesQuery(range, 'auto', Date.now());
    const json = await getSplitSeries(client, { slug, ...query, signal, amounts: 'bigint' });
    return {
      names: ['Idle', 'Invested', 'Pending exits'],
      ticks: json.map(({ at, idle, invested, pendingExits }) => {
        return { at, amounts: [idle, invested, pendingExits] };
      }),
      json,
    };
  }

  async function readPools(signal: AbortSignal): Promise<Parts> {
    const query = { ...seriesQuery(range, 'day', Date.now()), limit: 400 };
    const json = await getAllocationSeries(client, { slug, ...query, signal, amounts: 'bigint' });
    const known = new Map(
      vault.stats.pools.map((pool) => [`${pool.chainId} ${pool.offchainId}`, pool.name]),
    );
    const nameOf = ({ chainId, offchainId }: PoolTick['pools'][number]) =>
      cleanText(
        `${known.get(`${chainId} ${offchainId}`) ?? offchainId} (${chainName(chainId)})`,
        40,
      );
    return { ...largestPools(json, nameOf), json };
  }
}

function PartsPlot({
  parts,
  vault,
  name,
}: {
  readonly parts: Parts;
  readonly vault: Vault<bigint>;
  readonly name: string;
}) {
  const { decimals, symbol } = vault.assets.base;
  const unit = cleanText(symbol, 12);
  const { times, lines } = useMemo(() => {
    const lines = parts.names.map((label, index): Line => {
      const amounts = parts.ticks.map((tick) => tick.amounts[index]!);
      return {
        label,
        values: amounts.map((amount) => toNumber(amount, decimals)),
        format: (value) => `${shortNumber(value)} ${unit}`,
        exact: (at) => `${exactAmount(amounts[at]!, decimals)} ${unit}`,
      };
    });
    return { times: parts.ticks.map(({ at }) => Math.floor(Date.parse(at) / 1000)), lines };
  }, [parts]);
  return (
    <Plot
      label={`Composition of ${cleanText(vault.name)}`}
      times={times}
      lines={lines}
      stacked
      height={240}
      foot={
        <TakeAway
          shown={{
            name,
            head: ['time', ...parts.names],
            rows: () =>
              parts.ticks.map(({ at, amounts }) => [
                at,
                ...amounts.map((amount) => decimalText(amount, decimals)),
              ]),
            json: () => parts.json,
          }}
        />
      }
    />
  );
}
