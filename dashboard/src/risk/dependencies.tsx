import type { RiskDependencies, RiskNeighbor } from '@assay/client';
import { useState } from 'preact/hooks';
import { ViewActions } from '../components/download.tsx';
import { lazy } from '../components/lazy.tsx';
import { Age, Name } from '../components/values.tsx';
import { cleanText } from '../format/text.ts';
import { setQuery, usePlace } from '../state/url.ts';
import { Grade } from './grade.tsx';
import { edgeLabel, nameOf } from './labels.ts';
import { Properties } from './properties.tsx';

/** In a separate chunk with its layout code: most pages need neither. */
const Graph = lazy(async () => (await import('./graph.tsx')).Graph);

/** Shows a pool's dependencies as a graph and as a list for keyboards, and details of the selected one. */
export function Dependencies({ answer }: { readonly answer: RiskDependencies }) {
  const chosen = usePlace().query.get('on');
  const choose = (id: string | undefined) => setQuery({ on: id });
  const [pointed, setPointed] = useState<string | undefined>(undefined);
  const find = (wanted: string | null | undefined) =>
    answer.neighbors.find(({ id }) => id === wanted);
  const node = find(chosen);
  const shown = find(pointed) ?? node;
  return (
    <div class="dependencies">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it is wider than the page, and keys scroll it. */}
      <section class="drawn" tabIndex={0} aria-label="Dependency graph, also shown as a list">
        <Graph
          answer={answer}
          shown={shown?.id}
          onPoint={setPointed}
          onChoose={(id) => choose(id === node?.id ? undefined : id)}
        />
      </section>
      <div class="listed">
        <ul>
          {answer.edges.map(({ targetId, type }) => {
            const neighbor = find(targetId);
            return (
              <li key={`${type} ${targetId}`}>
                <button
                  type="button"
                  aria-pressed={targetId === node?.id}
                  onClick={() => choose(targetId === node?.id ? undefined : targetId)}
                >
                  {neighbor && <Grade letter={neighbor._riskTier} />}
                  <span class="who">
                    <Name text={neighbor ? nameOf(neighbor) : targetId} most={40} />
                    <small>{edgeLabel(type)}</small>
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
        <ViewActions
          shown={{
            name: `dependencies-${answer.nodeId}`,
            head: ['type', 'target', 'name', 'grade', 'updated'],
            rows: () =>
              answer.edges.map(({ type, targetId, lastUpdatedAt }) => {
                const neighbor = find(targetId);
                const name = neighbor ? nameOf(neighbor) : null;
                return [type, targetId, name, neighbor?._riskTier ?? null, lastUpdatedAt];
              }),
            json: () => answer,
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
