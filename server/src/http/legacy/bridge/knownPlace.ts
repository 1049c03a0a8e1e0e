import type { Config } from '../../../config/config.ts';
import { lower } from '../../../domain/hex.ts';
import { checksummed } from '../../checksum.ts';
import { readParameters } from '../../parameters.ts';
import { NotFound } from '../../problem.ts';
import { describeUnknown, findPlace } from '../successor.ts';
import type { KnownPlace } from './bridge.ts';

/** Returns the vault and the wallet of a legacy URL; throws NotFound or BadParameters. */
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
  if (unknown.length > 0) throw noSuchVault(unknown.join(' '));
  const { chain, family, wallet = '' } = place;
  const home = family!.chains.find(({ chainId }) => chainId === chain!.chainId)!;
  // An additional vault over the same shares has another asset: only the current routes report it.
  if (home.address !== lower(place.vaultAddress)) {
    const own = checksummed(home.address);
    throw noSuchVault(`The vault of ${family!.slug} on ${chain!.name} is ${own}.`);
  }
  return { chain: chain!, family: family!, home, wallet };
}

function noSuchVault(reason: string): NotFound {
  return new NotFound(`there is no such vault. ${reason}`);
}
