import { eventTopic, fn, topicAddress, wordAt } from '../../chain/abi.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import { topicOf } from '../assetMoves.ts';
import { TRANSFER, WITHDRAW } from '../vaultLogs.ts';
import { addressInSlot } from './proxy.ts';
import { addressIn, ask, isContract, type Look, numberIn } from './readContract.ts';
import { readRecentLogs } from './recentLogs.ts';

/** An account that holds shares or assets for others, and how it was found. */
export interface CustodyAccount {
  readonly address: Address;
  readonly by: string;
}

export interface HeldVault {
  readonly address: Address;
  readonly asset: Address;
  readonly share: Address;
}

/** Functions that return the contract with the shares or assets of open requests. */
const OWN_NAMES = ['escrow()', 'silo()', 'pendingSilo()', 'withdrawalManager()', 'globalEscrow()'];
/** Managers of a vault, which can return that contract. */
const MANAGERS = ['manager()', 'asyncRedeemManager()'];
const MANAGED_NAMES = ['withdrawalManager()', 'globalEscrow()'];
const OWN_CALLS = OWN_NAMES.map((name) => fn(name)());
const MANAGER_CALLS = MANAGERS.map((name) => fn(name)());
const MANAGED_CALLS = MANAGED_NAMES.map((name) => fn(name)());
/** The storage slot of Lagoon's silo, which no function returns. */
const SILO_SLOT: Hex = '0x5c74d456014b1c0eb4368d944667a568313858a3029a650ff0cb7b56f8b57a08';

const REDEEM_REQUEST = eventTopic(
  'event RedeemRequest(address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 shares)',
);
const balanceOf = fn('balanceOf(address)');
const poolId = fn('poolId()');
const poolEscrow = fn('poolEscrow(uint64)');

/** Returns contracts that hold shares or assets for others; those that the vault names come first. */
export async function findCustody(
  look: Look,
  vault: HeldVault,
  options: {
    readonly since: number;
    /** Whether the vault emits no events of requests (erc4626). */
    readonly isPlain?: boolean;
  },
): Promise<CustodyAccount[]> {
  const named = [
    ...(await findNamedCustody(look, vault.address)),
    ...(await shareToken(look, vault)),
    ...(await besideRequests(look, vault, options.since)),
  ];
  const found = new Map<Address, CustodyAccount>();
  for (const account of named) {
    const { address } = account;
    if (address === vault.address || address === vault.asset || found.has(address)) continue;
    if (await isContract(look, address)) found.set(address, account);
  }
  if (!options.isPlain) return [...found.values()];
  return [...found.values(), ...(await ownQueue(look, vault, options.since))];
}

/** A plain vault that pays for shares that it holds itself has a queue. Without one, its shares belong to no one. */
async function ownQueue(
  look: Look,
  { address, share }: HeldVault,
  since: number,
): Promise<CustodyAccount[]> {
  if (share !== address) return [];
  const own = topicOf(address);
  const filter = { addresses: [address], topics: [[WITHDRAW], null, null, [own]] };
  const { logs } = await readRecentLogs(look, { filter, since, most: 1 });
  const isPaid = logs.some(({ topics }) => topics[2] !== own);
  return isPaid ? [{ address, by: 'a Withdraw of shares in the vault itself' }] : [];
}

/** Returns those that the vault names, without reading its logs. */
export async function findNamedCustody(look: Look, vault: Address): Promise<CustodyAccount[]> {
  return [
    ...(await namedByVault(look, vault)),
    ...(await namedByManagers(look, vault)),
    ...(await inStorage(look, vault)),
  ];
}

async function namedByVault(look: Look, vault: Address): Promise<CustodyAccount[]> {
  const answers = await ask(look, vault, OWN_CALLS);
  return OWN_NAMES.flatMap((by, i) => account(addressIn(answers[i]), by));
}

async function namedByManagers(look: Look, vault: Address): Promise<CustodyAccount[]> {
  const answers = await ask(look, vault, [...MANAGER_CALLS, poolId()]);
  const pool = numberIn(answers.at(-1));
  const found: CustodyAccount[] = [];
  for (const [i, name] of MANAGERS.entries()) {
    const manager = addressIn(answers[i]);
    if (manager === null) continue;
    const managed = await ask(look, manager, [
      ...MANAGED_CALLS,
      ...(pool === null ? [] : [poolEscrow(pool)]),
    ]);
    const names = [...MANAGED_NAMES, 'poolEscrow(uint64)'];
    found.push(
      ...managed.flatMap((answer, j) => account(addressIn(answer), `${name} → ${names[j]}`)),
    );
    // Shares go to a withdrawal manager through the manager of the pool.
    if (addressIn(managed[0]) !== null) found.push({ address: manager, by: name });
  }
  return found;
}

async function inStorage(look: Look, vault: Address): Promise<CustodyAccount[]> {
  return account(await addressInSlot(look, vault, SILO_SLOT), 'its storage');
}

/** A separate share token is custody only if it holds something. */
async function shareToken(look: Look, { share, asset, address }: HeldVault) {
  if (share === address) return [];
  const held = await Promise.all(
    [share, asset].map(async (token) => {
      const [balance] = await ask(look, token, [balanceOf(share)]);
      return (numberIn(balance) ?? 0n) > 0n;
    }),
  );
  return held.includes(true) ? [{ address: share, by: 'share()' }] : [];
}

/** Returns the accounts that received the shares of the newest requests. */
async function besideRequests(
  look: Look,
  vault: HeldVault,
  since: number,
): Promise<CustodyAccount[]> {
  const filter = { addresses: [vault.address], topics: [[REDEEM_REQUEST]] };
  const { logs } = await readRecentLogs(look, { filter, since, most: 3 });
  const found: CustodyAccount[] = [];
  for (const request of logs) {
    const owner = topicAddress(request.topics[2] ?? '0x');
    const { blockNumber: block, transactionHash } = request;
    const transfers = await look.client.logs({
      fromBlock: block,
      toBlock: block,
      filter: { addresses: [vault.share], topics: [[TRANSFER]] },
    });
    for (const { topics, data, transactionHash: hash } of transfers) {
      if (hash !== transactionHash || topics.length < 3) continue;
      if (topicAddress(topics[1]!) !== owner) continue;
      if (wordAt(data, 0) !== wordAt(request.data, 1)) continue;
      found.push({ address: topicAddress(topics[2]!), by: 'the shares of a RedeemRequest' });
    }
  }
  return found;
}

function account(address: Address | null, by: string): CustodyAccount[] {
  return address === null ? [] : [{ address, by }];
}
