import type { RiskNode } from '@assay/client';
import { useEffect, useState } from 'preact/hooks';
import { Card } from '../components/card.tsx';
import { Crumb } from '../components/crumb.tsx';
import { ViewActions } from '../components/download.tsx';
import { Empty } from '../components/states.tsx';
import { type Column, fileOf, Table } from '../components/table.tsx';
import { Name, Unknown } from '../components/values.tsx';
import { cleanText } from '../format/text.ts';
import type { Settings } from '../state/settings.ts';
import { setQuery, usePlace } from '../state/url.ts';
import { type ComparedRow, comparedFacts, comparedReasons } from './comparison.ts';
import { Grade } from './grade.tsx';
import { gradeUrl } from './nodeUrls.ts';
import { useBoughtPools } from './ownPurchases.tsx';
import { PurchaseBox } from './purchaseBox.tsx';

const SIDES = [
  ['a', 'First pool'],
  ['b', 'Second pool'],
] as const;

export function CompareHead() {
  return (
    <div class="head">
      <Crumb href="/risk" name="Risk" />
      <h1 tabIndex={-1}>Compare two pools</h1>
      <p class="sub">
        Grades bought in this browser are shown again for free. Others show their price first.
      </p>
    </div>
  );
}

/** Puts the grades of two pools side by side. */
export function Compare({ settings }: { readonly settings: Settings }) {
  const { query } = usePlace();
  const ids = SIDES.map(([side]) => query.get(side) ?? '');
  const [bought, setBought] = useState<Readonly<Record<string, RiskNode>>>({});
  const nodes = ids.map((id) => bought[id]);
  return (
    <>
      <Card id="pools" title="Pools">
        <div class="compared">
          {SIDES.map(([side, label], index) => (
            <div key={side}>
              <PoolChoice
                key={`${side} ${ids[index]}`}
                label={label}
                side={side}
                id={ids[index]!}
              />
              {ids[index] !== '' && (
                <PurchaseBox<RiskNode>
                  settings={settings}
                  route="node"
                  url={gradeUrl(ids[index]!)}
                  words="Buy the grade"
                  onBought={(node) => setBought((all) => ({ ...all, [ids[index]!]: node }))}
                >
                  {(node) => <Side node={node} />}
                </PurchaseBox>
              )}
            </div>
          ))}
        </div>
      </Card>
      {nodes.every((node) => node !== undefined) && ids[0] !== ids[1] && <Compared nodes={nodes} />}
    </>
  );
}

function PoolChoice({
  label,
  side,
  id,
}: {
  readonly label: string;
  readonly side: 'a' | 'b';
  readonly id: string;
}) {
  const pools = useBoughtPools();
  const [text, setText] = useState(id);
  const [isWrong, setWrong] = useState(id !== '' && !isPool(id));
  return (
    <form
      class="ask"
      onSubmit={(event) => {
        event.preventDefault();
        const next = text.trim().toLowerCase();
        setWrong(!isPool(next));
        if (isPool(next)) setQuery({ [side]: next });
      }}
    >
      <label>
        <span>{label}</span>
        <input
          type="text"
          list={`bought-${side}`}
          spellcheck={false}
          autocomplete="off"
          placeholder="pool:base:0x…"
          value={text}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? `wrong-${side}` : undefined}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <datalist id={`bought-${side}`}>
        {pools.map((pool) => (
          <option key={pool} value={pool} />
        ))}
      </datalist>
      <button type="submit">Choose</button>
      {isWrong && (
        <p id={`wrong-${side}`} class="wrong" role="alert">
          Enter the id of a pool: it starts with “pool:”.
        </p>
      )}
    </form>
  );
}

function isPool(id: string): boolean {
  return /^pool:[^:]+:.+$/.test(id);
}

function Side({ node }: { readonly node: RiskNode }) {
  return (
    <div class="gradehead">
      <Grade letter={node._riskTier} isBig />
      <div>
        <h3>
          <a data-own href={`/risk/${encodeURIComponent(node.id)}`}>
            <Name text={nameOf(node)} most={64} />
          </a>
        </h3>
      </div>
    </div>
  );
}

function Compared({ nodes }: { readonly nodes: readonly RiskNode[] }) {
  const names = nodes.map((node) => cleanText(nameOf(node), 40));
  const [reasons, facts] = [comparedReasons(nodes), comparedFacts(nodes)];
  const columns = columnsOf('Question', names);
  useEffect(() => {
    document.title = `${names.join(' and ')} · Assay`;
  }, [names.join()]);
  return (
    <>
      <Card
        id="reasons"
        title="Reasons"
        aside={
          <ViewActions
            shown={{
              name: 'compare',
              ...fileOf(columns, reasons),
              json: () => nodes,
            }}
          />
        }
      >
        <div class="cards prose">
          <Table
            caption="Reasons of both grades"
            columns={columns}
            rows={reasons}
            rowKey={({ name }) => name}
          />
        </div>
      </Card>
      <Card id="facts" title="Known facts">
        {facts.length === 0 ? (
          <Empty>None.</Empty>
        ) : (
          <div class="cards prose">
            <Table
              caption="Known facts about both"
              columns={columnsOf('Fact', names)}
              rows={facts}
              rowKey={({ name }) => name}
            />
          </div>
        )}
      </Card>
    </>
  );
}

function columnsOf(label: string, names: readonly string[]): readonly Column<ComparedRow>[] {
  return [
    {
      key: 'name',
      label,
      value: ({ name }) => cleanText(name, 300),
      render: ({ name }) => cleanText(name, 300),
    },
    ...names.map((name, index): Column<ComparedRow> => {
      return {
        key: `${index}`,
        label: name,
        value: ({ values }) => values[index] ?? null,
        render: ({ values }) => {
          const value = values[index] ?? null;
          return value === null ? <Unknown why="not known of this pool" /> : cleanText(value, 1200);
        },
      };
    }),
  ];
}

function nameOf({ id, properties }: RiskNode): string {
  return typeof properties.name === 'string' ? properties.name : id;
}
