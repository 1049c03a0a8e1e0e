import type { RiskDependencies, RiskNeighbor } from '@assay/client';
import { useState } from 'preact/hooks';
import { cleanText } from '../format/text.ts';
import { TakeAway } from '../parts/download.tsx';
import { lazy } from '../parts/lazy.tsx';
import { Age, Name } from '../parts/values.tsx';
import { setQuery, usePlace } from '../state/url.ts';
import { Grade } from './grade.tsx';
import { Properties } from './properties.tsx';
import { edgeWords, nameOf } from './words.ts';

/** The drawing and its layout come in a chunk of their own: most pages need neither. */
const Graph = lazy(async () => (await import('./graph.tsx')).Graph);

/** What a pool depends on: drawn, and as a list that keys can walk. The one under the pointer, or chosen, is told in a panel. */
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
      <section class="drawn" tabIndex={0} aria-label="Drawing, told in the list">
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
                    <small>{edgeWords(type)}</small>
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
        <TakeAway
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
        {shown ? (
          <Panel node={shown} />
        ) : (
          <p class="soft">Point at one, or choose it in the list, to see what is known of it.</p>
        )}
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
        {node.labels.join(', ')} · <code>{cleanText(node.id, 80)}</code> · changed{' '}
        <Age at={node.lastUpdatedAt} />
      </p>
      <p>
        <a data-own href={`/risk?node=${encodeURIComponent(node.id)}`}>
          Its own page
        </a>
      </p>
      <Properties properties={node.properties} />
    </section>
  );
}
