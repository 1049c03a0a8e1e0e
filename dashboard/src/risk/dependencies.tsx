import type { RiskDependencies, RiskNeighbor } from '@assay/client';
import { useMemo, useState } from 'preact/hooks';
import { ViewActions } from '../components/download.tsx';
import { lazy } from '../components/lazy.tsx';
import { Age, Name } from '../components/values.tsx';
import { cleanText } from '../format/text.ts';
import type { Settings } from '../state/settings.ts';
import { setQuery, usePlace } from '../state/url.ts';
import { Grade } from './grade.tsx';
import { HopList } from './hopList.tsx';
import { hopsOf, mergedGraph } from './hops.ts';
import { nameOf } from './labels.ts';
import { Properties } from './properties.tsx';

/** In a separate chunk with its layout code: most pages need neither. */
const Graph = lazy(async () => (await import('./graph.tsx')).Graph);

/** Shows a pool's dependencies as a graph and as a list for keyboards, and details of the selected one. */
export function Dependencies({
  settings,
  answer,
}: {
  readonly settings: Settings;
  readonly answer: RiskDependencies;
}) {
  const chosen = usePlace().query.get('on');
  const [pointed, setPointed] = useState<string | undefined>(undefined);
  const [further, setFurther] = useState<readonly RiskDependencies[]>([]);
  const hops = useMemo(() => hopsOf(answer, further), [answer, further]);
  const graph = useMemo(() => mergedGraph(answer, further), [answer, further]);
  const find = (wanted: string | null | undefined) => graph.nodes.find(({ id }) => id === wanted);
  const node = find(chosen);
  const shown = find(pointed) ?? node;
  const choose = (id: string) => setQuery({ on: id === node?.id ? undefined : id });
  return (
    <div class={graph.answers.length > 1 ? 'dependencies far' : 'dependencies'}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it is wider than the page, and keys scroll it. */}
      <section class="drawn" tabIndex={0} aria-label="Dependency graph, also shown as a list">
        <Graph
          root={answer}
          graph={graph}
          shown={shown?.id}
          onPoint={setPointed}
          onChoose={choose}
        />
      </section>
      <div class="listed">
        <HopList
          settings={settings}
          hops={hops}
          chosen={node?.id}
          onChoose={choose}
          onBought={(one) =>
            setFurther((before) => [...before.filter(({ nodeId }) => nodeId !== one.nodeId), one])
          }
        />
        <ViewActions
          shown={{
            name: `dependencies-${answer.nodeId}`,
            head: ['source', 'type', 'target', 'name', 'grade', 'updated'],
            rows: () =>
              graph.edges.map(({ sourceId, type, targetId, lastUpdatedAt }) => {
                const neighbor = find(targetId);
                const name = neighbor ? nameOf(neighbor) : null;
                const grade = neighbor?._riskTier ?? null;
                return [sourceId, type, targetId, name, grade, lastUpdatedAt];
              }),
            json: () => (graph.answers.length === 1 ? answer : graph.answers),
          }}
        />
        {shown ? <Panel node={shown} /> : <p class="soft">Select a dependency to see details.</p>}
      </div>
    </div>
  );
}

function Panel({ node }: { readonly node: RiskNeighbor }) {
  return (
    <section class="about" aria-label={cleanText(nameOf(node))}>
      <h3>
        <Grade letter={node._riskTier} /> <Name text={nameOf(node)} most={64} />
      </h3>
      <p class="soft">
        {node.labels.join(', ')} · <code>{cleanText(node.id, 80)}</code> · updated{' '}
        <Age at={node.lastUpdatedAt} />
      </p>
      <p>
        <a data-own href={`/risk/${encodeURIComponent(node.id)}`}>
          Open its page
        </a>
      </p>
      <Properties properties={node.properties} />
    </section>
  );
}
