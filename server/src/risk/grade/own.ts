import type { RiskNode } from '../../domain/risk/graph.ts';
import { assetHazard } from './asset.ts';
import { chainHazard } from './chain.ts';
import type { Surroundings } from './lossBands.ts';
import type { OwnHazard } from './ownHazard.ts';
import { poolHazard } from './pool.ts';
import { protocolHazard } from './protocol.ts';

export function ownHazard(node: RiskNode, now: number, around: Surroundings): OwnHazard {
  switch (node.label) {
    case 'Pool':
      return poolHazard(node.facts);
    case 'Asset':
      return assetHazard(node.facts);
    case 'Protocol':
      return protocolHazard(node.facts, now, around);
    case 'Chain':
      return chainHazard(node.facts);
  }
}
