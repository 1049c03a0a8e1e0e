import { fn } from '../chain/abi.ts';
import { POOL_DECLARED } from '../vaults/pools.ts';
import { findCustody } from '../vaults/recognise/custody.ts';
import type { RecognisedVault } from '../vaults/recognise/index.ts';
import { ask, isContract, type Look, numberIn } from '../vaults/recognise/look.ts';
import { readRecentLogs } from '../vaults/recognise/recentLogs.ts';
import { type CheckLine, fail, pass } from './line.ts';
import type { Place } from './places.ts';

const epoch = fn('epoch()');

/** The contracts around a vault that the file names. */
export async function checkContracts(
  look: Look,
  place: Place,
  vault: RecognisedVault,
): Promise<CheckLine[]> {
  return [
    ...(await checkRegistry(look, place)),
    ...(await checkRouters(look, place)),
    ...(await checkCustody(look, place, vault)),
  ];
}

async function checkRegistry(look: Look, { chain, family, key: at }: Place): Promise<CheckLine[]> {
  const { registry, startBlock } = chain;
  if (registry === undefined) return [];
  const key = `${at}.registry`;
  if (!(await isContract(look, registry))) {
    const reason = `${registry} on chain ${chain.chainId} has no contract`;
    return [fail(key, reason, 'correct the address, or leave it out')];
  }
  const declared = async (topics: readonly (readonly `0x${string}`[])[]) => {
    const filter = { addresses: [registry], topics: [[POOL_DECLARED], ...topics] };
    return (await readRecentLogs(look, { filter, since: startBlock, most: 1 })).logs.length > 0;
  };
  const binding = family.bindingDeclarationAddress;
  if (await declared([[`0x${binding.slice(2).padStart(64, '0')}`]])) {
    return [pass(`${key}: ${registry} declares pools of ${binding}`)];
  }
  const [answer] = await ask(look, registry, [epoch()]);
  if (numberIn(answer) !== null || (await declared([]))) {
    return [pass(`${key}: ${registry} declares no pool of ${binding} yet`)];
  }
  const reason = `${registry} is no pool registry: it has no epoch() and declared no pool`;
  return [fail(key, reason, 'correct the address, or leave it out')];
}

async function checkRouters(look: Look, { chain, key }: Place): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  for (const [i, router] of chain.routers.entries()) {
    const at = `${key}.routers[${i}]`;
    if (await isContract(look, router)) lines.push(pass(`${at}: ${router} is a contract`));
    else {
      const reason = `${router} on chain ${chain.chainId} has no contract, and the moves of a wallet are transfers`;
      lines.push(fail(at, reason, 'correct the address, or remove it'));
    }
  }
  return lines;
}

async function checkCustody(
  look: Look,
  { chain, key, name }: Place,
  vault: RecognisedVault,
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  const tokens = { asset: vault.asset.address, share: vault.share.address };
  const found = await findCustody(
    look,
    { address: vault.address, ...tokens },
    { since: chain.startBlock },
  );
  for (const [i, account] of chain.custody.entries()) {
    const at = `${key}.custody[${i}]`;
    const by = found.find(({ address }) => address === account)?.by;
    if (by !== undefined) lines.push(pass(`${at}: ${account} is named by ${by}`));
    else if (await isContract(look, account)) lines.push(pass(`${at}: ${account} is a contract`));
    else {
      const reason = `${account} on chain ${chain.chainId} is an ordinary wallet, and what it holds is its own`;
      lines.push(fail(at, reason, 'correct the address, or remove it'));
    }
  }
  for (const { address, by } of found) {
    if (!chain.custody.includes(address)) {
      lines.push(pass(`${name}: custody ${address} was found by ${by}`));
    }
  }
  return lines;
}
