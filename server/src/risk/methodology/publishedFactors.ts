import type { Label } from '../../domain/risk/graph.ts';
import {
  ASSET_BY_SIZE,
  ASSET_FIXED,
  ASSET_SIZES,
  ASSET_UNKNOWN,
  NOT_ATTESTED,
} from '../grade/asset.ts';
import { CHAIN_BY_TVL, CHAIN_UNKNOWN, ROLLUP_BY_STAGE, SETTLEMENT_HAZARD } from '../grade/chain.ts';
import { money } from '../grade/format.ts';
import { POOL_BY_ASSETS, POOL_CONCENTRATED, POOL_LEVERAGED } from '../grade/pool.ts';
import type { PublishedFactor } from './methodology.ts';

type Rows = readonly (readonly [when: string, value: number])[];

export function assetFactors(): PublishedFactor[] {
  const sized = Object.entries(ASSET_BY_SIZE).map(([kind, hazards]) =>
    anchor('Asset', `${kind}, by market value`, [
      ...hazards.map((hazard, place) => [from(ASSET_SIZES[place]!), hazard] as const),
    ]),
  );
  return [
    ...sized,
    anchor('Asset', 'other kinds', [...Object.entries(ASSET_FIXED), ['unknown', ASSET_UNKNOWN]]),
    multiplier('Asset', 'fiat-backed, independently attested', [
      ['yes', 1],
      ['no or not known', NOT_ATTESTED],
    ]),
  ];
}

export function chainFactors(): PublishedFactor[] {
  return [
    anchor('Chain', 'settlement chains', [['Ethereum, Bitcoin', SETTLEMENT_HAZARD]]),
    anchor('Chain', 'rollups, by stage', Object.entries(ROLLUP_BY_STAGE)),
    anchor('Chain', 'others, by TVL', [
      ...CHAIN_BY_TVL.map((band) => [from(band.from), band.hazard] as const),
      ['unknown', CHAIN_UNKNOWN],
    ]),
  ];
}

export function poolFactors(): PublishedFactor[] {
  return [
    anchor('Pool', 'what is in it', [
      ...Object.entries(POOL_BY_ASSETS),
      ['leveraged', POOL_LEVERAGED],
    ]),
    multiplier('Pool', 'uncorrelated assets in a narrow price range', [['yes', POOL_CONCENTRATED]]),
  ];
}

function anchor(of: Label, factor: string, rows: Rows): PublishedFactor {
  return { of, factor, kind: 'anchor', rows: rows.map(([when, value]) => ({ when, value })) };
}

function multiplier(of: Label, factor: string, rows: Rows): PublishedFactor {
  return { ...anchor(of, factor, rows), kind: 'multiplier' };
}

function from(usd: number): string {
  return usd === 0 ? 'less, or not known' : `${money(usd)} or more`;
}
