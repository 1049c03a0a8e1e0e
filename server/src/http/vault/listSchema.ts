import { Type } from 'typebox';
import { pageParameters } from '../familyPages.ts';
import type { RouteParameter } from '../route.ts';
import { oneChain, optional } from '../routeParameters.ts';
import { ChainId, DateTime, List, Nullable, Shape } from '../schemas.ts';
import { assetPair, chainRole, chainVault, family, figures } from './snapshotSchema.ts';

const stats = Shape(
  { updatedAt: DateTime('The instant of the figures.'), ...figures },
  'Figures over all chains.',
);

export const listSchema = List(
  Shape(
    {
      ...family,
      assets: Nullable(
        assetPair,
        "The tokens on the family's first settlement chain; null while no chain of it has been read.",
      ),
      chains: List(
        Shape(
          { chainId: ChainId('The chain.'), role: chainRole, vault: chainVault },
          'A chain of the family.',
        ),
        'Every chain of the family.',
      ),
      stats: Nullable(
        stats,
        'Figures over all chains, as in the snapshot; null while the family has never been read.',
      ),
    },
    'A vault family with its main figures.',
  ),
  'The families of the page, in the order of the configuration.',
);

export const listParameters: readonly RouteParameter[] = [
  oneChain('Only families that live on this chain, whatever its role.'),
  optional(
    'baseAsset',
    Type.String({ minLength: 1 }),
    'Only families with this base asset: its address on any chain of the family (in any case, a mixed-case checksum must be right), or its symbol in any case.',
    'USDC',
  ),
  ...pageParameters,
];
