import type { RiskDependencies } from '@assay/client';
import { Name } from '../components/values.tsx';
import { cleanText } from '../format/text.ts';
import type { Settings } from '../state/settings.ts';
import { Grade } from './grade.tsx';
import type { Hop } from './hops.ts';
import { edgeLabel, nameOf } from './labels.ts';
import { dependenciesUrl } from './nodeUrls.ts';
import { PurchaseBox } from './purchaseBox.tsx';

export interface HopListProps {
  readonly settings: Settings;
  readonly hops: readonly Hop[];
  /** The node whose details are shown. */
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
  readonly onBought: (answer: RiskDependencies) => void;
}

/** Lists dependencies, and below each pool its own once they are bought. */
export function HopList({ hops, ...rest }: HopListProps) {
  return (
    <ul>
      {hops.map((hop) => (
        <Item key={`${hop.edge.type} ${hop.edge.targetId}`} hop={hop} {...rest} />
      ))}
    </ul>
  );
}

function Item({ hop, ...rest }: { readonly hop: Hop } & Omit<HopListProps, 'hops'>) {
  const { edge, neighbor, isSold, hops } = hop;
  const { settings, chosen, onChoose, onBought } = rest;
  const { targetId } = edge;
  const name = neighbor ? nameOf(neighbor) : targetId;
  return (
    <li>
      <button type="button" aria-pressed={targetId === chosen} onClick={() => onChoose(targetId)}>
        {neighbor && <Grade letter={neighbor._riskTier} />}
        <span class="who">
          <Name text={name} most={40} />
          <small>{edgeLabel(edge.type)}</small>
        </span>
      </button>
      {isSold && (
        <PurchaseBox<RiskDependencies>
          settings={settings}
          route="dependencies"
          url={dependenciesUrl(targetId)}
          words={`Dependencies of ${cleanText(name, 24)}`}
          isBrief
          onBought={onBought}
        />
      )}
      {hops.length > 0 && <HopList hops={hops} {...rest} />}
    </li>
  );
}
