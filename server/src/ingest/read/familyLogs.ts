import { ShortData } from '../../chain/abi.ts';
import type { ChainClient, Header, RawLog } from '../../chain/chainClient.ts';
import type { GovernanceChange } from '../../domain/governance/change.ts';
import type { Address } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import { type PoolDeclaration, poolsInForce, type VaultEvent } from '../../domain/vault/event.ts';
import { createFlowTrust, type FlowFit } from '../../domain/vault/flowTrust.ts';
import { needsPrice } from '../../domain/vault/history.ts';
import { type Interpretation, interpret } from '../../domain/vault/interpret.ts';
import type { Notice } from '../../domain/vault/notice.ts';
import type { Accounts } from '../../domain/wallet/accounts.ts';
import type { FreeMint } from '../../store/freeMints/freeMints.ts';
import type { Governance } from '../../vaults/governance/governance.ts';
import { KINDS } from '../../vaults/index.ts';
import type { VaultKind, VaultOnChain } from '../../vaults/kind.ts';
import type { FamilySource } from '../sources.ts';
import { readBlocks } from './blockReads.ts';
import { createEarlierRatios } from './earlierRatios.ts';
import { createPaymentChecks } from './paymentChecks.ts';
import { createQueueContext } from './queueContext.ts';
import { createQueueWatch, type KeptAnswer, type QueueWatch } from './queueWatch.ts';
import { checkAmounts, checkItems, checkTrust } from './sourceHalted.ts';
import type { StoredSource } from './storedSource.ts';
import { createVaultNotices, findUnpriced } from './vaultNotices.ts';
import { noteHolding } from './wrapperHolding.ts';

/** Interprets the logs of a family on one chain in order, and carries the state that later logs need. */
export interface FamilyLogs {
  /** Returns results in the order of the calls. */
  take(logs: readonly RawLog[], asking: Asking): Promise<Taken>;
  /** The queues after all logs that were taken. */
  readonly queues: QueueWatch;
  /** The pools in force at a block that `take` has passed. */
  poolsAt(block: number): PoolDeclaration[];
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

/** How logs are positioned, and what they do not contain is read. */
export interface Asking {
  readonly client: ChainClient;
  readonly concurrency: number;
  /** The last block of the range. */
  readonly to: Header;
  place(log: RawLog): LogPlace;
}

/** Starts at the checkpoint of `stored`. */
export function createFamilyLogs(
  source: FamilySource,
  vault: VaultOnChain,
  governance: Governance,
  stored: StoredSource,
): FamilyLogs {
  const kind = KINDS[source.family.adapter];
  const accounts = accountsOf(vault, stored);
  const queues = createQueueWatch(stored);
  const pools = [...stored.pools];
  const trust = createFlowTrust(stored.fits);
  const checks = createPaymentChecks(source, kind, vault, accounts, stored);
  const earlier = createEarlierRatios(vault);
  const queueContext = createQueueContext(kind, queues, stored.requests, trust);
  const vaultNotices = createVaultNotices(vault, stored.notices);
  let lastPrice = stored.price;
  let turn: Promise<unknown> = Promise.resolve();

  return {
    take(logs, asking) {
      const taken = turn.then(() => takeNow(logs, asking));
      // Awaited later: until then a failure must not count as unhandled, and later ones fail with it.
      turn = taken;
      taken.catch(() => {});
      return taken;
    },
    queues,
    poolsAt: (block) => poolsInForce(pools, block),
  };

  async function takeNow(logs: readonly RawLog[], asking: Asking): Promise<Taken> {
    // Most families are quiet in most blocks. Only queues that are read by calls can change without a log.
    if (logs.length === 0 && kind.queue !== 'calls') return { ...NOTHING_TAKEN, lastPrice };
    const changes = logs.flatMap((log) => governance.read(log, asking.place(log)) ?? []);
    const decoded = logs.flatMap((log) => decodeOrSkip(kind, log, asking.place(log), vault) ?? []);
    const payments = await checks.check(decoded, asking);
    const { events } = payments;
    if (kind.queue === 'calls' && queues.isDue(asking.to.time, events)) {
      lookAt(asking.to, source.chainId, events);
    }
    const { byBlock, isPruned } = await readState(events, asking);
    const priceAt = (block: number) => byBlock.get(block)?.price;
    const startOf = (block: number) => byBlock.get(block)?.start;
    const settled = payments.settle(priceAt);
    const meaning = interpret(settled, {
      accounts,
      shareDecimals: vault.shareDecimals,
      lastPrice,
      priceAt,
      startOf,
      queue: queueContext(byBlock),
    });
    checkAmounts(source, meaning);
    checkItems(source, meaning);
    checkTrust(source, trust.doubted());
    lastPrice = meaning.lastPrice;
    pools.push(...meaning.pools);
    queues.settle(meaning.queues);
    await noteHolding(trust, kind, vault, settled, priceAt, asking.client);
    const shown = vaultNotices.find(settled, { startOf, isRateProven: trust.isRateProven });
    // The range will be read again, with the prices.
    const unpriced = isPruned ? [] : findUnpriced(meaning.movements, settled);
    return {
      ...meaning,
      governance: changes,
      notices: [...payments.notices(), ...shown, ...unpriced],
      freeMints: payments.free,
      flowFits: trust.take(),
      isPruned,
    };
  }

  /** Reads prices and queues at the blocks of these events. */
  async function readState(
    events: readonly VaultEvent[],
    { client, concurrency }: Asking,
  ): Promise<{ byBlock: ReadonlyMap<number, KeptAnswer>; isPruned: boolean }> {
    const isUnproven = trust.asking();
    const asks = (event: VaultEvent) =>
      (event.kind === 'flow' && isUnproven(event)) || needsPrice(event);
    const questions =
      kind.price === 'converted' ? queues.questionsOf(events, kind, accounts, asks) : [];
    const readQueue = kind.queue === 'calls' ? kind.walletQueue : null;
    const read = await readBlocks(client, vault, readQueue, questions, concurrency);
    const { answers, isPruned } = await earlier.complete(client, read);
    return { byBlock: queues.keep(answers), isPruned };
  }
}

function accountsOf({ found, share, chain }: VaultOnChain, stored: StoredSource): Accounts {
  return {
    vaults: new Set<Address>([...found.vaults, share]),
    // A vault can name another holder later; earlier ones remain holders.
    custody: new Set([...found.custody, ...stored.custody]),
    feeHolders: new Set(found.feeHolders),
    routers: new Set(chain.routers),
  };
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

/** Adds the last block to the events, to see whether the vault settled deposits by time alone, without a log. */
function lookAt({ number, time, hash }: Header, chainId: number, events: VaultEvent[]): void {
  if (events.at(-1)?.place.blockNumber === number) return;
  const place = { blockTime: time, chainId, blockNumber: number, logIndex: 0 };
  events.push({ kind: 'other', place, txHash: hash });
}
