import type { FamilyChainConfig, FamilyConfig } from '../src/config/config.ts';
import type { Address } from '../src/domain/hex.ts';
import type { DeploymentReads } from '../src/verify/deployment.ts';
import { askAt, type ChainView } from './oracleChain.ts';
import { type ChainEvent, sameAddress } from './oracleEvents.ts';
import { type Holding, holdingsAt as holdingsOfParts } from './oracleHoldings.ts';

export { type Holding, takeCost } from './oracleHoldings.ts';

/** A family on one chain, with every block of that chain. */
export interface FamilyOnChain {
  readonly family: FamilyConfig;
  readonly chain: FamilyChainConfig;
  /** The address whose price applies: the master's for a feeder. */
  readonly priced: string;
  readonly isFeeder: boolean;
  readonly view: ChainView;
  /** The family's events from its first block on, in order. */
  readonly events: readonly ChainEvent[];
  readonly startTime: number;
}

/** Returns the reads in the form that the checks of `verify` take. */
export function getDeploymentReads(
  { family, chain, ...deployment }: FamilyOnChain,
  shareDecimals: number,
): DeploymentReads & { readonly events: readonly ChainEvent[] } {
  const { client } = deployment.view;
  const priced = deployment.priced as Address;
  const onChain = { ...chain, address: priced };
  return {
    family,
    chain,
    master: deployment.isFeeder ? { ...family, address: priced, chains: [onChain] } : null,
    share: chain.address,
    shareDecimals,
    events: deployment.events,
    declarations: deployment.events.filter((event) => event.eventName === 'PoolDeclared'),
    // A receiver queue is read as a whole, so no wallets are listed.
    logs: {
      ...{ transfers: [], requests: [], deposits: new Set(), exits: new Set(), mentions: [] },
      ...{ busyBlocks: new Set(), payments: [], settled: [], queue: [], topics: new Map() },
    },
    askAt: (block) => askAt(client, block),
    async storageAt(address, slot, block) {
      const word = await client.getStorageAt({ address, slot, blockNumber: BigInt(block) });
      return word ?? '0x';
    },
  };
}

/** Returns every wallet's shares at average cost up to a timestamp, over all chains in order of time. */
export function holdingsAt(
  parts: readonly FamilyOnChain[],
  shareDecimals: number,
  until: number,
): Map<string, Holding> {
  return holdingsOfParts(
    parts.map((deployment) => getDeploymentReads(deployment, shareDecimals)),
    until,
  );
}

const TYPES = { deposit: 1, withdraw: 2, redeem: 3, cancel: 4 };

/** Returns the history: deposits by owner, exits by receiver, and an instant exit once. */
export function historyOf({ family, events }: FamilyOnChain) {
  return events.flatMap((event) => {
    if (!sameAddress(event.address, family.address)) return [];
    const item = historyItem(event);
    return item === undefined
      ? []
      : [{ ...placeOf(event), txHash: event.transactionHash, ...item }];
  });
}

function historyItem(event: ChainEvent) {
  switch (event.eventName) {
    case 'Deposit':
      return { type: TYPES.deposit, wallet: event.args.owner, ...amounts(event.args) };
    case 'Withdraw':
      return { type: TYPES.withdraw, wallet: event.args.receiver, ...amounts(event.args) };
    case 'RedeemRequest':
      if (!('instant' in event.args) || event.args.instant) return undefined;
      return { type: TYPES.redeem, wallet: event.args.receiver, ...amounts(event.args) };
    case 'RequestCancelled':
      return { type: TYPES.cancel, wallet: event.args.receiver, ...amounts(event.args) };
    default:
      return undefined;
  }
}

function amounts({ assets, shares }: { assets: bigint; shares: bigint }) {
  return { assets, shares };
}

export function placeOf(event: ChainEvent) {
  return {
    blockTime: event.time,
    chainId: event.chainId,
    blockNumber: event.blockNumber,
    logIndex: event.logIndex,
  };
}

/** Returns the share prices published for the family on one chain. */
export function publishedPrices({ events, chain, priced }: FamilyOnChain) {
  return events.flatMap((event) => {
    if (event.eventName !== 'SharePriceUpdated' || !sameAddress(event.address, chain.oracle))
      return [];
    if (!sameAddress(event.args.vault, priced)) return [];
    return [{ ...placeOf(event), price: event.args.price }];
  });
}
