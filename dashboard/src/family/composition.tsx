import { getAllocationSeries, getSplitSeries, type Vault } from '@assay/client';
import { useMemo } from 'preact/hooks';
import { Plot } from '../chart/chart.tsx';
import { inSpan, type Line, spanName } from '../chart/line.ts';
import { useRange } from '../chart/rangeState.ts';
import { useZoom } from '../chart/zoomState.ts';
import { Card } from '../components/card.tsx';
import { Choice } from '../components/choice.tsx';
import { ViewActions } from '../components/download.tsx';
import { Await, Empty } from '../components/states.tsx';
import { decimalText, exactAmount, shortNumber, toNumber } from '../format/amount.ts';
import { cleanText } from '../format/text.ts';
import { client } from '../state/api.ts';
import { useChainName } from '../state/chains.ts';
import { useLive } from '../state/live.ts';
import { ofFamily } from '../state/topics.ts';
import { useChoice } from '../state/url.ts';
import { largestPools, type PoolTick } from './largestPools.ts';

/** The parts of the value over time, by name. */
interface Parts {
  /** Title of the data shown, which can belong to an earlier selection. */
  readonly title: string;
  /** File name. */
  readonly name: string;
  readonly names: readonly string[];
  readonly ticks: readonly { readonly at: string; readonly amounts: readonly bigint[] }[];
  readonly json: readonly { readonly at: string }[];
}

const KINDS = [
  ['split', 'Split'],
  ['pools', 'Pools'],
] as const;

/** Charts the composition of the value over the range of the chart above. */
export function Composition({ vault }: { readonly vault: Vault<bigint> }) {
  const [kind, setKind] = useChoice<'split' | 'pools'>('parts', ['split', 'pools']);
  const [range] = useRange();
  const chainName = useChainName();
  const { slug } = vault;
  const kindName = KINDS.find(([key]) => key === kind)![1];
  const asked = { title: `${kindName}, ${range.name}`, name: `${slug}-${kind}-${range.key}` };
  const live = useLive(
    `${kind} ${slug} ${range.key}`,
    (signal) => (kind === 'split' ? readSplit(signal) : readPools(signal)),
    60_000,
    ofFamily(slug),
  );
  return (
    <Card
      id="composition"
      title="Composition over time"
      chartHeight={240}
      aside={<Choice label="Parts" choices={KINDS} value={kind} onChoose={setKind} />}
    >
      <Await live={live} lines={6} wanted={asked.title} nameOf={({ title }) => title}>
        {(parts) =>
          parts.ticks.length === 0 ? (
            <Empty>No data in this range yet.</Empty>
          ) : (
            <PartsPlot parts={parts} vault={vault} />
          )
        }
      </Await>
    </Card>
  );

  async function readSplit(signal: AbortSignal): Promise<Parts> {
    const query = range.query('auto', Date.now());
    const json = await getSplitSeries(client, { slug, ...query, signal, amounts: 'bigint' });
    return {
      ...asked,
      names: ['Idle', 'Invested', 'Pending exits'],
      ticks: json.map(({ at, idle, invested, pendingExits }) => {
        return { at, amounts: [idle, invested, pendingExits] };
      }),
      json,
    };
  }

  async function readPools(signal: AbortSignal): Promise<Parts> {
    const query = { ...range.query('day', Date.now()), limit: 400 };
    const json = await getAllocationSeries(client, { slug, ...query, signal, amounts: 'bigint' });
    const known = new Map(
      vault.stats.pools.map((pool) => [`${pool.chainId} ${pool.offchainId}`, pool.name]),
    );
    const nameOf = ({ chainId, offchainId }: PoolTick['pools'][number]) =>
      cleanText(
        `${known.get(`${chainId} ${offchainId}`) ?? offchainId} (${chainName(chainId)})`,
        40,
      );
    return { ...asked, ...largestPools(json, nameOf), json };
  }
}

function PartsPlot({ parts, vault }: { readonly parts: Parts; readonly vault: Vault<bigint> }) {
  const { decimals, symbol } = vault.assets.base;
  const unit = cleanText(symbol, 12);
  const [zoom, setZoom] = useZoom();
  const { times, lines } = useMemo(() => {
    const lines = parts.names.map((label, index): Line => {
      const amounts = parts.ticks.map((tick) => tick.amounts[index]!);
      return {
        label,
        values: amounts.map((amount) => toNumber(amount, decimals)),
        format: (value) => `${shortNumber(value)} ${unit}`,
        axis: { unit },
        exact: (at) => `${exactAmount(amounts[at]!, decimals)} ${unit}`,
      };
    });
    return { times: parts.ticks.map(({ at }) => Math.floor(Date.parse(at) / 1000)), lines };
  }, [parts]);
  return (
    <Plot
      label={`Composition of ${cleanText(vault.name)}: ${parts.title}`}
      times={times}
      lines={lines}
      kind="stacked"
      height={240}
      link="family"
      zoom={zoom}
      onZoom={setZoom}
      foot={
        <ViewActions
          shown={{
            name: parts.name + spanName(zoom),
            head: ['time', ...parts.names, 'unit'],
            rows: () =>
              inSpan(parts.ticks, zoom).map(({ at, amounts }) => [
                at,
                ...amounts.map((amount) => decimalText(amount, decimals)),
                unit,
              ]),
            json: () => inSpan(parts.json, zoom),
          }}
        />
      }
    />
  );
}
