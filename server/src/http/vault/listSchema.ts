import { Type } from 'typebox';
import type { RouteParameter } from '../route.ts';
import { assetPair, chainRole, chainVault, family, figures } from './snapshotSchema.ts';

export const listSchema = Type.Array(
  Type.Object({
    ...family,
    assets: Type.Union([assetPair, Type.Null()], {
      description:
        "The tokens on the family's first settlement chain; null while no chain of it has been read.",
    }),
    chains: Type.Array(
      Type.Object({
        chainId: Type.Integer({ minimum: 1, description: 'EIP-155 chain id.' }),
        role: chainRole,
        vault: chainVault,
      }),
      { description: 'Every chain of the family.' },
    ),
    stats: Type.Union(
      [
        Type.Object({
          updatedAt: Type.String({
            format: 'date-time',
            description: 'The instant of the figures, UTC.',
          }),
          ...figures,
        }),
        Type.Null(),
      ],
      {
        description:
          'Figures over all chains, as in the snapshot; null while the family has never been read.',
      },
    ),
  }),
  { description: 'The families, in the order of the configuration.' },
);

export const listParameters: readonly RouteParameter[] = [
  {
    name: 'chainId',
    in: 'query',
    required: false,
    description: 'Only families that live on this chain, whatever its role.',
    schema: Type.Integer({ minimum: 1, maximum: 999_999_999_999_999 }),
    example: '8453',
  },
  {
    name: 'baseAsset',
    in: 'query',
    required: false,
    description:
      'Only families with this base asset: its address on any chain of the family (in any case, a mixed-case checksum must be right), or its symbol in any case.',
    schema: Type.String({ minLength: 1 }),
    example: 'USDC',
  },
];
