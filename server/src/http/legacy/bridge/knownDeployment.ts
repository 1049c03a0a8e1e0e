import type { Config } from '../../../config/config.ts';
import { lower } from '../../../domain/hex.ts';
import { checksummed } from '../../checksum.ts';
import { readParameters } from '../../parameters.ts';
import { NotFound } from '../../problem.ts';
import { describeUnknown, findDeployment } from '../successor.ts';
import type { KnownDeployment } from './bridge.ts';

/** Returns the vault and the wallet of a legacy URL; throws NotFound or BadParameters. */
export function getKnownDeployment(
  config: Pick<Config, 'chains' | 'families'>,
  path: Readonly<Record<string, string>>,
): KnownDeployment {
  readParameters((parameters) => parameters.address('userAddress', path.userAddress), {
    path,
    query: new Map(),
    now: 0,
  });
  const deployment = findDeployment(config, path);
  const unknown = describeUnknown(deployment);
  if (unknown.length > 0) throw noSuchVault(unknown.join(' '));
  const { chain, family, wallet = '' } = deployment;
  const familyChain = family!.chains.find(({ chainId }) => chainId === chain!.chainId)!;
  // An additional vault over the same shares has another asset: only the current routes report it.
  if (familyChain.address !== lower(deployment.vaultAddress)) {
    const own = checksummed(familyChain.address);
    throw noSuchVault(`The vault of ${family!.slug} on ${chain!.name} is ${own}.`);
  }
  return { chain: chain!, family: family!, familyChain, wallet };
}

function noSuchVault(reason: string): NotFound {
  return new NotFound(`there is no such vault. ${reason}`);
}
