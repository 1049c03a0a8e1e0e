import type { RiskNeighbor } from '@assay/client';
import { cleanText } from '../format/text.ts';

export function nameOf({ id, properties }: RiskNeighbor): string {
  const { name, symbol } = properties;
  if (typeof name === 'string' && name !== '') return name;
  return typeof symbol === 'string' && symbol !== '' ? symbol : id;
}

/** Formats an edge type: LIVES_ON becomes "lives on". */
export function edgeLabel(type: string): string {
  return cleanText(type, 40).toLowerCase().replaceAll('_', ' ');
}
