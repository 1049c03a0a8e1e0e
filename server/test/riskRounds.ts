import type { RiskRecord } from '../src/domain/risk/record.ts';

/**
 * Returns a list for one round: from each round to the next, some nodes stay, some change, some are added, and some are
 * removed.
 */
export function riskRound(round: number, count = 700): RiskRecord[] {
  const chain: RiskRecord = {
    node: { id: 'chain:base', label: 'Chain', facts: { name: `Base ${round}`, slug: 'base' } },
    edges: [],
  };
  const pools = Array.from({ length: count }, (_, i): RiskRecord => {
    const number = i % 3 === 0 ? i + round * count : i;
    const id = `pool:base:0x${number}`;
    const name = i % 3 === 1 ? `Pool ${number} of round ${round}` : `Pool ${number}`;
    return {
      node: { id, label: 'Pool', facts: { name, chain: 'base', address: `0x${number}` } },
      edges: [{ type: 'LIVES_ON', sourceId: id, targetId: 'chain:base', weight: 1 }],
    };
  });
  return [chain, ...pools];
}
