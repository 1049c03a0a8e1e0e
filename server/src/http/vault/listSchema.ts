import { Type } from 'typebox';
import { pageParameters } from '../familyPages.ts';
import type { RouteParameter } from '../route.ts';
import { oneChain, optional } from '../routeParameters.ts';
import { ChainId, DateTime, List, Nullable, Shape } from '../schemas.ts';
import { asOfParameters } from './asOfParameters.ts';
import { AsOfField } from './asOfSchema.ts';
import { assetPair, chainRole, chainVault, family, figures } from './snapshotSchema.ts';

const stats = Shape(
  { updatedAt: DateTime('Time of the values.'), ...figures },
  'Values over all chains.',
);

export const listSchema = List(
  Shape(
    {
      ...family,
      assets: Nullable(
        assetPair,
        "The tokens on the family's first settlement chain; null if none of its chains was read yet.",
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
        'Values over all chains, as in the snapshot; null if the family was never read, or has no data as of the requested moment.',
      ),
      asOf: AsOfField,
    },
    'A vault family with its main values.',
  ),
  'The families of the page, in the order of the configuration.',
);

export const listParameters: readonly RouteParameter[] = [
  oneChain('Only families on this chain, in any role.'),
  optional(
    'baseAsset',
    Type.String({ minLength: 1 }),
    'Only families with this base asset: its address on any chain of the family (any case, but a mixed-case checksum must be valid), or its symbol in any case.',
    'USDC',
  ),
  ...asOfParameters,
  ...pageParameters,
];
