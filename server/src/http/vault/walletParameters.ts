import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { readParameters } from '../parameters.ts';
import { NotFound, noSuch } from '../problem.ts';
import type { RouteParameter, RouteRequest } from '../route.ts';
import { oneFamily, walletInPath } from '../routeParameters.ts';

/** The parameters of wallet routes. */
export const walletParameters: readonly RouteParameter[] = [
  walletInPath(),
  oneFamily('Slug of one vault family. Default: all families. Unknown: 404.'),
];

/** Returns the wallet, and the requested families in the order of the configuration. */
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
  if (asked.length === 0) throw new NotFound(noSuch('vault family'));
  return { wallet: wallet!, asked };
}
