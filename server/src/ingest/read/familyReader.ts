import { ShortData } from '../../chain/abi.ts';
import type { ChainClient, Header, LogFilter, RawLog } from '../../chain/chainClient.ts';
import type { GovernanceChange } from '../../domain/governance/change.ts';
import type { Address } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import { poolsInForce, type VaultEvent } from '../../domain/vault/event.ts';
import { createFlowTrust, type FlowFit, type FlowTrust } from '../../domain/vault/flowTrust.ts';
import { needsPrice } from '../../domain/vault/history.ts';
import { type Interpretation, interpret, type QueueContext } from '../../domain/vault/interpret.ts';
import type { Notice } from '../../domain/vault/notice.ts';
import { inverseOf, type Ratio, worthOf } from '../../domain/vault/ratio.ts';
import { createRequestBook, type RedeemRequest } from '../../domain/vault/requestBook.ts';
import type { FamilyState } from '../../domain/vault/state.ts';
import type { Accounts } from '../../domain/wallet/accounts.ts';
import { createTransferBook } from '../../domain/wallet/transferBook.ts';
import type { FreeMint } from '../../store/freeMints/freeMints.ts';
import type { Queryable } from '../../store/store.ts';
import type { VaultRow } from '../../store/vaults/vaults.ts';
import { createGovernance, type Governance } from '../../vaults/governance/governance.ts';
import { KINDS } from '../../vaults/index.ts';
import type {
  Detail,
  LastBalances,
  Rounds,
  Unread,
  VaultKind,
  VaultOnChain,
} from '../../vaults/kind.ts';
import { runRounds } from '../../vaults/rounds.ts';
import type { FamilySource } from '../sources.ts';
import { readBlocks } from './blockReads.ts';
import { createEarlierRatios } from './earlierRatios.ts';
import { createPaidAssets } from './paidAssets.ts';
import { createQueueWatch, type QueueWatch } from './queueWatch.ts';
import { checkAmounts, checkItems, checkTrust } from './sourceHalted.ts';
import { readStoredSources, type StoredSource } from './storedSource.ts';
import { createDepositWatch } from './unseenDeposits.ts';
import { createRedemptionWatch } from './unseenRedemptions.ts';
import { createVaultNotices, findUnpriced } from './vaultNotices.ts';

/** Reads the logs of a family on one chain in order, and carries the state that later logs need. */
export interface FamilyReader {
  readonly kind: 'family';
  readonly source: FamilySource;
  readonly familyId: number;
  readonly vault: VaultOnChain;
  readonly filter: LogFilter;
  readonly governance: Governance;
  /** Returns results in the order of the calls. */
  take(logs: readonly RawLog[], asking: Asking): Promise<Taken>;
  /** Prepares to read the vault's state at a block that `take` has passed; `time` is the time of the block. */
  stateAt(block: number, time: number, detail: Detail): Rounds<FamilyState | Unread | null>;
  /** Opens a reader with the state that the store had at an earlier block. */
  reopen(db: Queryable, upTo: number): Promise<FamilyReader>;
}

export interface Taken extends Interpretation {
  readonly governance: readonly GovernanceChange[];
  readonly notices: readonly Notice[];
  readonly flowFits: readonly FlowFit[];
  readonly freeMints: readonly FreeMint[];
  /** Whether no endpoint has the state that some events need. They are valued at the last known price. */
  readonly isPruned: boolean;
}

const NOTHING_TAKEN: Omit<Taken, 'lastPrice'> = {
  history: [],
  movements: [],
  sharePrices: [],
  pools: [],
  custody: [],
  queues: [],
  requests: [],
  depositRequests: [],
  governance: [],
  notices: [],
  flowFits: [],
  freeMints: [],
  isPruned: false,
};

/** How a reader positions logs, and reads what they do not contain. */
export interface Asking {
  readonly client: ChainClient;
  readonly concurrency: number;
  /** The last block of the range. */
  readonly to: Header;
  place(log: RawLog): LogPlace;
}

/** Opens a reader at the checkpoint of `stored`. */
export function createFamilyReader(
  source: FamilySource,
  facts: VaultRow,
  vault: VaultOnChain,
  stored: StoredSource,
): FamilyReader {
  const { familyId, chainId } = facts;
  const { shareDecimals, found } = vault;
  const kind = KINDS[source.family.adapter];
  const wanted = kind.wantedLogs(vault);
  const governance = createGovernance(vault, wanted);
  const watch = createQueueWatch(stored);
  const declared = [...stored.pools];
  const accounts: Accounts = {
    vaults: new Set<Address>([...found.vaults, vault.share]),
    // A vault can name another holder later; earlier ones remain holders.
    custody: new Set([...found.custody, ...stored.custody]),
    feeHolders: new Set(found.feeHolders),
    routers: new Set(vault.chain.routers),
  };
  const isSeveral = stored.notices.has('other-asset');
  const paid = kind.paysAtOnce ? createPaidAssets(vault, accounts, stored.price, isSeveral) : null;
  const deposits = kind.paysAtOnce
    ? createDepositWatch(source, vault, accounts, {
        hasDeposits: stored.hasDeposits,
        examined: stored.examined.mints,
        reported: stored.notices.get('unseen-deposit') ?? 0,
      })
    : null;
  const redemptions = kind.paysAtOnce
    ? createRedemptionWatch(vault, accounts, {
        examined: stored.examined.burns,
        reported: stored.notices.get('unseen-redemption') ?? 0,
      })
    : null;
  const vaultNotices = createVaultNotices(vault, stored.notices);
  const lastBalances: LastBalances = new Map();
  const trust = createFlowTrust(stored.fits);
  const earlier = createEarlierRatios(vault);
  const queue = queueContext(kind, watch, stored.requests, trust);
  let lastPrice = stored.price;
  let turn: Promise<unknown> = Promise.resolve();

  return {
    kind: 'family',
    source,
    familyId,
    vault,
    filter: {
      addresses: governance.addresses,
      ...(wanted.topics !== undefined && { topics: [[...wanted.topics, ...governance.topics]] }),
    },
    governance,
    async reopen(store, upTo) {
      const asked = [{ familyId, shareDecimals, kind }];
      const before = await readStoredSources(store, chainId, asked, upTo);
      return createFamilyReader(source, facts, vault, before(familyId));
    },
    take(logs, asking) {
      const taken = turn.then(() => takeNow(logs, asking));
      // Awaited later: until then a failure must not count as unhandled, and later ones fail with it.
      turn = taken;
      taken.catch(() => {});
      return taken;
    },
    stateAt: (block, time, detail) =>
      kind.state(vault, {
        block,
        time,
        detail,
        pools: poolsInForce(declared, block),
        lastBalances,
        queued: watch.totalsAt(block),
        waiters: kind.queue === 'calls' ? watch.waiters() : [],
      }),
  };

  async function takeNow(logs: readonly RawLog[], asking: Asking): Promise<Taken> {
    // Most families are quiet in most blocks. Only queues that are read by calls can change without a log.
    if (logs.length === 0 && kind.queue !== 'calls') return { ...NOTHING_TAKEN, lastPrice };
    const changes = logs.flatMap((log) => governance.read(log, asking.place(log)) ?? []);
    const decoded = logs.flatMap((log) => decodeOrSkip(kind, log, asking.place(log), vault) ?? []);
    const unseen = await deposits?.look(decoded, asking.client);
    const paidOut = await redemptions?.look(decoded, asking.client);
    const doubted = await paid?.check(decoded, asking);
    const events = doubted?.events ?? decoded;
    if (kind.queue === 'calls' && watch.isDue(asking.to.time, events)) lookAt(asking.to, events);
    const isUnproven = trust.asking();
    const asks = (event: VaultEvent) =>
      (event.kind === 'flow' && isUnproven(event)) || needsPrice(event);
    const questions =
      kind.price === 'converted' ? watch.questionsOf(events, kind, accounts, asks) : [];
    const read = await readBlocks(
      asking.client,
      vault,
      kind.queue === 'calls' ? kind.walletQueue : null,
      questions,
      asking.concurrency,
    );
    const { answers, isPruned } = await earlier.complete(asking.client, read);
    const byBlock = watch.keep(answers);
    const priceAt = (block: number) => byBlock.get(block)?.price;
    const settled = doubted?.settle(priceAt) ?? events;
    const meaning = interpret(settled, {
      accounts,
      shareDecimals,
      lastPrice,
      priceAt,
      startOf: (block) => byBlock.get(block)?.start,
      queue: queue(byBlock),
    });
    checkAmounts(source, meaning);
    checkItems(source, meaning);
    checkTrust(source, trust.doubted());
    lastPrice = meaning.lastPrice;
    declared.push(...meaning.pools);
    watch.settle(meaning.queues);
    await noteHolding(settled, priceAt, asking.client);
    const shown = vaultNotices.find(settled, {
      startOf: (block) => byBlock.get(block)?.start,
      isRateProven: trust.isRateProven,
    });
    const other = doubted?.notices() ?? [];
    // The range will be read again, with the prices.
    const unpriced = isPruned ? [] : findUnpriced(meaning.movements, settled);
    return {
      ...meaning,
      governance: changes,
      notices: [
        ...[unseen, paidOut].flatMap((one) => one?.notices ?? []),
        ...[...other, ...shown, ...unpriced],
      ],
      freeMints: [unseen, paidOut].flatMap((one) => one?.free ?? []),
      flowFits: trust.take(),
      isPruned,
    };
  }

  /** Compares what a wrapper holds with the rate, once per read until they agree. */
  async function noteHolding(
    events: readonly VaultEvent[],
    priceAt: (block: number) => Ratio | null | undefined,
    client: ChainClient,
  ): Promise<void> {
    if (kind.holding === undefined || trust.isRateProven()) return;
    const event = events.findLast(({ place }) => priceAt(place.blockNumber) != null);
    if (event === undefined) return;
    const { blockNumber } = event.place;
    const [read] = await runRounds(client, blockNumber, [kind.holding(vault)]);
    if (read == null) return;
    const price = priceAt(blockNumber)!;
    const { held, shares } = read;
    const [worth, inverse] = [price, inverseOf(price, vault)].map((one) => worthOf(shares, one));
    trust.noteHolding(vault.share, { held, worth: worth!, inverse: inverse! }, event);
  }

  /** Whether the vault settles deposits by time alone, without a log. */
  function lookAt({ number, time, hash }: Header, events: VaultEvent[]): void {
    if (events.at(-1)?.place.blockNumber === number) return;
    const place = { blockTime: time, chainId, blockNumber: number, logIndex: 0 };
    events.push({ kind: 'other', place, txHash: hash });
  }
}

function queueContext(
  { queue }: VaultKind,
  watch: QueueWatch,
  open: readonly RedeemRequest[],
  trust: FlowTrust,
): (answers: ReturnType<QueueWatch['keep']>) => QueueContext {
  if (queue === 'events') return () => ({ by: 'events' });
  if (queue === 'calls') {
    return (answers) => ({
      by: 'calls',
      held: watch.held,
      at: (block) => answers.get(block)?.queues,
    });
  }
  if (queue === 'requests') {
    const requests = createRequestBook(open);
    return () => ({ by: 'requests', requests, trust });
  }
  const book = createTransferBook(
    new Map([...watch.held].map(([wallet, { pendingRedeem }]) => [wallet, pendingRedeem])),
  );
  return () => ({ by: 'transfers', book });
}

/** Ignores a log that is shorter than the ABI of its topic requires, because the vault did not emit that event. */
function decodeOrSkip(kind: VaultKind, log: RawLog, place: LogPlace, vault: VaultOnChain) {
  try {
    return kind.decode(log, place, vault);
  } catch (error) {
    if (error instanceof ShortData) return undefined;
    throw error;
  }
}
