import { Type } from 'typebox';
import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { readParameters } from '../parameters.ts';
import { NotFound } from '../problem.ts';
import type { RouteParameter, RouteRequest } from '../route.ts';

/** What the routes of a wallet ask for. */
export const walletParameters: readonly RouteParameter[] = [
  {
    name: 'walletAddress',
    in: 'path',
    required: true,
    description: 'A wallet address, in any case; in mixed case its EIP-55 checksum must be right.',
    schema: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
    example: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  },
  {
    name: 'family',
    in: 'query',
    required: false,
    description: 'Slug of one vault family; without it the answer covers all. Unknown: 404.',
    schema: Type.String(),
    example: 'svcusd',
  },
];

/** The wallet, and the families asked for in the order of the configuration. */
export function readWallet(
  request: RouteRequest,
  config: Config,
): { wallet: Address; asked: readonly FamilyConfig[] } {
  const { wallet, slug } = readParameters(
    (parameters) => ({
      wallet: parameters.address('walletAddress', request.path.walletAddress ?? ''),
      slug: parameters.text('family'),
    }),
    request,
  );
  if (slug === undefined) return { wallet: wallet!, asked: config.families };
  const asked = config.families.filter((family) => family.slug === slug);
  if (asked.length === 0) throw new NotFound('there is no vault family with that slug');
  return { wallet: wallet!, asked };
}
