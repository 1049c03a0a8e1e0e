import type { FamilyConfig } from '../config/config.ts';
import { type Hex, lower, ZERO_ADDRESS } from '../domain/hex.ts';
import { getNewestRequests } from '../store/history/newestRequests.ts';
import { getTypesOf } from '../store/history/typesOf.ts';
import type { Queryable } from '../store/store.ts';
import type { Comparison, FamilyReport } from './comparison.ts';
import { vaultsOf } from './deployment.ts';
import { compareInvariant } from './invariants.ts';
import { kindOf } from './kinds/index.ts';
import { readable } from './notReadable.ts';
import type { StoredDeployment } from './storedDeployments.ts';
import { WITHDRAW } from './vaultLogs.ts';

/** Older requests follow the same rules. */
const MAX_REQUESTS = 50;

/** Checks that history has the events that share transfers prove, whichever log reported them. */
export async function compareHistory(
  db: Queryable,
  { slug }: FamilyConfig,
  deployments: readonly StoredDeployment[],
): Promise<FamilyReport> {
  const compared = await Promise.all(
    deployments.map(async (stored) => {
      const { chainId } = stored.deployment.chain;
      const comparison = compareInvariant(slug, 15, `chain ${chainId}`);
      const wanted = [
        ...penaltiesIn(stored).map((transaction) => ({ transaction, type: 'withdraw' }) as const),
        ...(await returnsIn(stored)).map(
          (transaction) => ({ transaction, type: 'cancel' }) as const,
        ),
      ];
      const types = await getTypesOf(
        db,
        slug,
        chainId,
        wanted.map(({ transaction }) => transaction),
      );
      for (const { transaction, type } of wanted) {
        const has = types.get(transaction)?.has(type) === true;
        comparison.holds(has ? null : `transaction ${transaction} has no item of type ${type}`);
      }
      return [comparison, await compareRequests(db, stored)];
    }),
  );
  return { compared: compared.flat().filter(({ figures }) => figures > 0), unchecked: [] };
}

/** A request is valued at the conversion before its block, because requests may change the rate. */
async function compareRequests(db: Queryable, stored: StoredDeployment): Promise<Comparison> {
  const { deployment, indexedBlock } = stored;
  const { family, chain, logs } = deployment;
  const comparison = compareInvariant(family.slug, 14, `chain ${chain.chainId}`);
  if (family.adapter !== 'erc7540' || chain.vaults.length > 0) return comparison;
  const requests = await getNewestRequests(
    db,
    family.slug,
    chain.chainId,
    indexedBlock,
    MAX_REQUESTS,
  );
  for (const [i, { block, shares, assets }] of requests.entries()) {
    // The oldest may have others before it in its block.
    if (logs.busyBlocks.has(block) || i + 1 === MAX_REQUESTS) continue;
    const worth = await readable(() =>
      deployment.askAt(block - 1)<bigint>(
        chain.address,
        'convertToAssets(uint256) view returns (uint256)',
        shares,
      ),
    );
    if (worth === undefined) continue;
    const what = `redeem at block ${block}: assets`;
    // A request before it in the same block may have lowered the conversion.
    const isFirst = requests[i + 1]?.block !== block;
    if (isFirst) comparison.near(what, assets, worth, 1n);
    else comparison.atMost(what, assets, worth + 1n);
  }
  return comparison;
}

/** Shares burned against a payment of the vault to itself. */
function penaltiesIn({ deployment, indexedBlock }: StoredDeployment): Hex[] {
  const vaults = new Set(vaultsOf(deployment.chain));
  const burned = new Set(
    deployment.logs.transfers.flatMap(({ from, to, transaction }) =>
      to === ZERO_ADDRESS ? `${transaction} ${from}` : [],
    ),
  );
  return deployment.logs.mentions.flatMap(({ topic, transaction, block, accounts }) => {
    const [, receiver, owner] = accounts;
    if (topic !== WITHDRAW || block > indexedBlock || receiver === undefined) return [];
    if (!vaults.has(receiver) || vaults.has(owner!)) return [];
    return burned.has(`${transaction} ${owner}`) ? transaction : [];
  });
}

/** Shares that left custody for a wallet, except those of a deposit. */
async function returnsIn({ deployment, indexedBlock }: StoredDeployment): Promise<Hex[]> {
  const { adapter } = deployment.family;
  const kind = kindOf(adapter);
  if (!kind.custodyIsAsked && adapter !== 'erc4626') return [];
  // A plain vault's other accounts hold shares of no wallet.
  const found = kind.custodyIsAsked
    ? await readable(() => kind.findCustody(deployment, indexedBlock))
    : [];
  const custody = new Set([...found, ...deployment.chain.custody.map(lower)]);
  const routers = new Set(deployment.chain.routers.map(lower));
  const { transfers, deposits } = deployment.logs;
  const burned = new Set(
    transfers.flatMap(({ from, to, transaction }) =>
      to === ZERO_ADDRESS ? `${transaction} ${from}` : [],
    ),
  );
  const returns = transfers.filter(
    ({ block, from, to, value, transaction }) =>
      block <= indexedBlock &&
      value > 0n &&
      custody.has(from) &&
      !custody.has(to) &&
      !routers.has(to) &&
      to !== ZERO_ADDRESS &&
      !deposits.has(transaction) &&
      // Handed back to be redeemed at once.
      (kind.custodyIsAsked || !burned.has(`${transaction} ${to}`)),
  );
  return [...new Set(returns.map(({ transaction }) => transaction))];
}
