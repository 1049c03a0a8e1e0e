import { Type } from 'typebox';
import { PUBLIC_TABLES } from '../../export/tables.ts';
import type { RouteParameter } from '../route.ts';
import { inPath, oneChain, oneFamily, optional } from '../routeParameters.ts';
import { AskedWhole } from '../schemas.ts';
import { methodParameter } from '../vault/costMethod.ts';

export const FORMATS = ['csv'] as const;
export const BLOCK = { min: 0, max: 999_999_999_999_999 } as const;
const NAMES = PUBLIC_TABLES.map(({ name }) => name);
const WITH_BLOCKS = PUBLIC_TABLES.filter(({ hasBlocks }) => hasBlocks).map(({ name }) => name);
const WITH_COSTS = PUBLIC_TABLES.filter(({ hasCosts }) => hasCosts).map(({ name }) => name);
const OF_BLOCKS = `Only with \`chainId\`, and only for ${WITH_BLOCKS.join(', ')}.`;

export const exportParameters: readonly RouteParameter[] = [
  inPath('table', Type.Enum([...NAMES]), 'Name of the table.', 'history'),
  oneFamily('Slug of one vault family. Default: all families.'),
  oneChain('One chain only. Default: all chains.'),
  optional('from', AskedWhole(BLOCK), `First block. ${OF_BLOCKS} Default: 0.`, '41412000'),
  optional('to', AskedWhole(BLOCK), `Last block. ${OF_BLOCKS} Default: the newest.`, '41413000'),
  {
    ...methodParameter,
    description: `${methodParameter.description} Only for ${WITH_COSTS.join(', ')}.`,
  },
  optional('format', Type.Enum([...FORMATS]), 'Format. Default: `csv`.', 'csv'),
  optional(
    'cursor',
    Type.String(),
    'Continue after a row: the key columns of its line, unchanged. Default: the first row.',
    'svcusd,1769860800,8453,41412050,12',
  ),
];

export const exportExample = [
  'family,block_time,chain_id,block_number,log_index,type,vault,wallet,assets,shares,transaction_hash',
  `svcusd,1769860800,8453,41412050,12,deposit,0x833589fcd6edb6e08f4c7c32d4f71b54bda02913,0xd8da6bf26964af9d7eed9e03e53415d37aa96045,250000000,239186380,0x${'ab'.repeat(32)}`,
  '',
].join('\n');
