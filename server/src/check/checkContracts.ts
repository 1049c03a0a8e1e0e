import { fn } from '../chain/abi.ts';
import { KINDS } from '../vaults/index.ts';
import { POOL_DECLARED } from '../vaults/pools.ts';
import { findCustody, type HeldVault } from '../vaults/recognize/custody.ts';
import { findFeeHolders } from '../vaults/recognize/feeHolders.ts';
import type { RecognizedVault } from '../vaults/recognize/index.ts';
import { ask, isContract, type Look, numberIn } from '../vaults/recognize/readContract.ts';
import { readRecentLogs } from '../vaults/recognize/recentLogs.ts';
import { findUnseenDeposits, whyUnseen } from '../vaults/recognize/unseenDeposits.ts';
import { describeUnseen, findUnseenRedemptions } from '../vaults/recognize/unseenRedemptions.ts';
import { findWrappedSupply } from '../vaults/recognize/wrapped.ts';
import type { ConfigLocation } from './configLocation.ts';
import { type CheckLine, fail, pass, warn } from './line.ts';

const epoch = fn('epoch()');

type Around = Parameters<typeof findUnseenDeposits>[2];

/** Checks the contracts around a vault that the file names. */
export async function checkContracts(
  look: Look,
  location: ConfigLocation,
  vault: RecognizedVault,
): Promise<CheckLine[]> {
  return [
    ...(await checkRegistry(look, location)),
    ...(await checkRouters(look, location)),
    ...(await checkCustody(look, location, vault)),
    ...(await checkEvents(look, location, vault)),
    ...(await checkSupply(look, location, vault)),
  ];
}

/** Checks whether deposits and redemptions are visible as events. */
async function checkEvents(
  look: Look,
  { chain, addressKey }: ConfigLocation,
  { kind, address, asset, share }: RecognizedVault,
): Promise<CheckLine[]> {
  if (!KINDS[kind].paysAtOnce) return [];
  const pair = { address, asset: asset.address, share: share.address };
  const around = { since: chain.startBlock, further: chain.vaults, custody: chain.custody };
  return [
    ...(await checkDeposits(look, addressKey, pair, around)),
    ...(await checkRedemptions(look, addressKey, pair, around)),
  ];
}

async function checkDeposits(
  look: Look,
  addressKey: string,
  pair: HeldVault,
  around: Around,
): Promise<CheckLine[]> {
  const unseen = await findUnseenDeposits(look, pair, around);
  const why = whyUnseen(unseen);
  if (why !== null) return [fail(addressKey, `${pair.address} ${why}`, 'remove it')];
  if (unseen.transactions.length === 0) return [];
  const reason = `shares were bought without a Deposit event in ${unseen.transactions.length} of the newest transactions, such as ${unseen.transactions[0]}`;
  return [warn(addressKey, reason, 'their cost counts as 0')];
}

async function checkRedemptions(
  look: Look,
  addressKey: string,
  pair: HeldVault,
  around: Around,
): Promise<CheckLine[]> {
  const feeHolders = await findFeeHolders(look, pair.address);
  const unseen = await findUnseenRedemptions(look, pair, { ...around, feeHolders });
  const reason = describeUnseen(unseen);
  if (reason === null) return [];
  return [warn(addressKey, reason, 'describe their events with adapter: rated')];
}

async function checkSupply(
  look: Look,
  { addressKey }: ConfigLocation,
  { share }: RecognizedVault,
): Promise<CheckLine[]> {
  const wrapped = await findWrappedSupply(look, share.address);
  if (wrapped === null) return [];
  const { token, by, held, supply } = wrapped;
  const reason = `totalSupply() is that of ${token} (${by}): ${supply} shares, of which its holders have at most ${held}`;
  return [warn(addressKey, reason, 'supply and TVL would include all of them')];
}

async function checkRegistry(
  look: Look,
  { chain, family, key: at }: ConfigLocation,
): Promise<CheckLine[]> {
  const { registry, startBlock } = chain;
  if (registry === undefined) return [];
  const key = `${at}.registry`;
  if (!(await isContract(look, registry))) {
    const reason = `${registry} on chain ${chain.chainId} has no contract`;
    return [fail(key, reason, 'correct the address, or remove it')];
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
  const reason = `${registry} is not a pool registry: it has no epoch() and declared no pool`;
  return [fail(key, reason, 'correct the address, or remove it')];
}

async function checkRouters(look: Look, { chain, key }: ConfigLocation): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  for (const [i, router] of chain.routers.entries()) {
    const at = `${key}.routers[${i}]`;
    if (await isContract(look, router)) lines.push(pass(`${at}: ${router} is a contract`));
    else {
      const reason = `${router} on chain ${chain.chainId} has no contract, and a wallet's moves are transfers`;
      lines.push(fail(at, reason, 'correct the address, or remove it'));
    }
  }
  return lines;
}

async function checkCustody(
  look: Look,
  { chain, key, name }: ConfigLocation,
  vault: RecognizedVault,
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  const tokens = { asset: vault.asset.address, share: vault.share.address };
  const found = await findCustody(
    look,
    { address: vault.address, ...tokens },
    { since: chain.startBlock, isPlain: vault.kind === 'erc4626' },
  );
  for (const [i, account] of chain.custody.entries()) {
    const at = `${key}.custody[${i}]`;
    const by = found.find(({ address }) => address === account)?.by;
    if (by !== undefined) lines.push(pass(`${at}: ${account} is named by ${by}`));
    else if (await isContract(look, account)) lines.push(pass(`${at}: ${account} is a contract`));
    else {
      const reason = `${account} on chain ${chain.chainId} is a regular wallet, which holds its own assets`;
      lines.push(fail(at, reason, 'correct the address, or remove it'));
    }
  }
  for (const { address, by } of found) {
    if (chain.custody.includes(address)) continue;
    // The server finds the others itself.
    if (address === vault.address) {
      const reason = `${address} itself holds shares of redemption requests, by ${by}`;
      lines.push(warn(`${key}.custody`, reason, `add ${address} to it`));
    } else lines.push(pass(`${name}: custody ${address} was found by ${by}`));
  }
  return lines;
}
