import { type Static, Type } from 'typebox';
import { toIso } from '../../domain/time.ts';
import { Block, ChainId, DateTime, Flag, Hash, List, Nullable, Shape } from '../schemas.ts';
import type { AsOf, AsOfBlock } from './asOf.ts';

const block = Shape(
  {
    chainId: ChainId('The chain.'),
    block: Block('The block at which its state was read.'),
    hash: Nullable(
      Hash('Hash of the block.'),
      'Hash of the block; null if only its number is stored.',
    ),
  },
  'A chain and the block of its state.',
);

const asOf = Shape(
  {
    at: DateTime('Time of the data point.'),
    final: Flag(
      'Whether all blocks are final and no later data can change these values. Only a change of the configuration, such as of texts, still can.',
    ),
    blocks: List(block, 'The blocks of the values. A chain that was not read by then is left out.'),
  },
  'The data point that is used for `at` or `block`. Only in responses to requests with one of them.',
);

/** A field of responses as of a moment. */
export const AsOfField = Type.Optional(asOf);

export type PresentedAsOf = Static<typeof asOf>;

export function presentAsOf(
  { at, isFinal }: Pick<AsOf, 'at' | 'isFinal'>,
  blocks: readonly AsOfBlock[],
): PresentedAsOf {
  return {
    at: toIso(at),
    final: isFinal,
    blocks: blocks.map((row) => ({ ...row, block: String(row.block) })),
  };
}
