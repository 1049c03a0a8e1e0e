import type { Config } from '../../../config/config.ts';
import { lower } from '../../../domain/hex.ts';
import { checksummed } from '../../checksum.ts';
import { readParameters } from '../../parameters.ts';
import { NotFound } from '../../problem.ts';
import { describeUnknown, findPlace } from '../successor.ts';
import type { KnownPlace } from './bridge.ts';

/** The vault and the wallet that a previous URL names; throws NotFound or BadParameters where it names none. */
export function knownPlace(
  config: Pick<Config, 'chains' | 'families'>,
  path: Readonly<Record<string, string>>,
): KnownPlace {
  readParameters((parameters) => parameters.address('userAddress', path.userAddress), {
    path,
    query: new Map(),
    now: 0,
  });
  const place = findPlace(config, path);
  const unknown = describeUnknown(place);
  if (unknown.length > 0) throw new NotFound(unknown.join(' '));
  const { chain, family, wallet = '' } = place;
  const home = family!.chains.find(({ chainId }) => chainId === chain!.chainId)!;
  // A further vault over the same shares has another asset: today's routes tell of it.
  if (home.address !== lower(place.vaultAddress)) {
    const own = checksummed(home.address);
    throw new NotFound(`The vault of ${family!.slug} on ${chain!.name} is ${own}.`);
  }
  return { chain: chain!, family: family!, home, wallet };
}
