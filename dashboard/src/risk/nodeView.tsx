import type { RiskDependencies, RiskNode } from '@assay/client';
import { Card } from '../components/card.tsx';
import { ViewActions } from '../components/download.tsx';
import { Name } from '../components/values.tsx';
import { cleanText } from '../format/text.ts';
import type { Settings } from '../state/settings.ts';
import { Dependencies } from './dependencies.tsx';
import { Grade } from './grade.tsx';
import { dependenciesUrl, gradeUrl } from './nodeUrls.ts';
import { Properties } from './properties.tsx';
import { PurchaseBox } from './purchaseBox.tsx';

/** Shows a node's grade with its reasons and, for a pool, its dependencies. */
export function NodeView({
  settings,
  nodeId,
}: {
  readonly settings: Settings;
  readonly nodeId: string;
}) {
  const isPool = nodeId.startsWith('pool:');
  return (
    <>
      <Card id="node" title="Grade">
        <PurchaseBox<RiskNode>
          settings={settings}
          route="node"
          url={gradeUrl(nodeId)}
          words="Buy the grade"
        >
          {(node) => <NodeAnswer node={node} />}
        </PurchaseBox>
      </Card>
      {isPool && (
        <p class="soft">
          <a data-own href={`/risk/compare?a=${encodeURIComponent(nodeId)}`}>
            Compare with another pool
          </a>
        </p>
      )}
      {isPool && (
        <Card id="dependencies" title="Dependencies">
          <PurchaseBox<RiskDependencies>
            settings={settings}
            route="dependencies"
            url={dependenciesUrl(nodeId)}
            words="Buy the dependencies"
          >
            {(answer) => <Dependencies settings={settings} answer={answer} />}
          </PurchaseBox>
        </Card>
      )}
    </>
  );
}

function NodeAnswer({ node }: { readonly node: RiskNode }) {
  const { id, labels, properties, _riskTier, riskBreakdown } = node;
  const name = typeof properties.name === 'string' ? properties.name : id;
  return (
    <div class="graded">
      <div class="gradehead">
        <Grade letter={_riskTier} isBig />
        <div>
          <h3>
            <Name text={name} most={64} />
          </h3>
          <p class="soft">{labels.join(', ')}</p>
        </div>
        <ViewActions
          shown={{
            name: id,
            head: ['question', 'answer'],
            rows: () => riskBreakdown.map(({ question, answer }) => [question, answer]),
            json: () => node,
          }}
        />
      </div>
      <dl class="reasons">
        {riskBreakdown.map(({ question, answer }) => (
          <div key={`${question} ${answer}`}>
            <dt>{cleanText(question, 300)}</dt>
            <dd>{cleanText(answer, 1200)}</dd>
          </div>
        ))}
      </dl>
      <Properties properties={properties} />
    </div>
  );
}
