import type { FamilyChainConfig, FamilyConfig } from '../config/config.ts';
import type { RatedConfig } from '../config/rated/description.ts';
import { type Address, lower, ZERO_ADDRESS } from '../domain/hex.ts';
import { need } from './ask.ts';
import type { ChainReader, LogsAsked } from './chainReader.ts';
import { type Deployment, masterOf, vaultsOf } from './deployment.ts';
import { findExitQueue } from './findEscrows.ts';
import type { Declaration } from './pools.ts';
import { askDescribed, takeRatedLog } from './rated.ts';
import { declarationOf, POOL_DECLARED } from './registryLogs.ts';
import { createVaultLogStore, TRANSFER, type VaultLogs, wordOf } from './vaultLogs.ts';

type Range = Omit<LogsAsked, 'filter'>;

const DECIMALS = 'decimals() view returns (uint8)';

/** Reads a family's contracts and all logs of one chain up to its head. `families` are all that are configured. */
export async function readDeployment(
  families: readonly FamilyConfig[],
  family: FamilyConfig,
  named: FamilyChainConfig,
  reader: ChainReader,
  head: number,
): Promise<Deployment> {
  if (named.rated !== undefined) return readDescribed(family, named, named.rated, reader, head);
  const ask = reader.askAt(head);
  const exits = await findExitQueue(ask, named.address);
  const chain = { ...named, custody: [...new Set([...named.custody.map(lower), ...exits])] };
  const own = await ask<Address>(chain.address, 'share() view returns (address)');
  const share = lower(own ?? chain.address);
  const shareDecimals = await need<number>(ask, share, DECIMALS);
  const range = { fromBlock: chain.startBlock, toBlock: head };
  const logs = await readVaultLogs(reader, chain, share, range);
  const declarations = await readDeclarations(reader, chain, range);
  const master = masterOf(families, family);
  const { askAt, storageAt } = reader;
  const facts = { family, chain, master, share, shareDecimals, logs, declarations };
  return { ...facts, askAt, storageAt, reader };
}

async function readVaultLogs(
  reader: ChainReader,
  chain: FamilyChainConfig,
  share: Address,
  range: Range,
): Promise<VaultLogs> {
  const vaults = vaultsOf(chain);
  const store = createVaultLogStore(share, vaults);
  // Every event of the vaults, so that unknown ones are found too.
  await reader.logs({ ...range, filter: { addresses: vaults } }, (logs) => {
    for (const log of logs) store.take(log);
  });
  if (!vaults.includes(share)) {
    const filter = { addresses: [share], topics: [[TRANSFER]] };
    await reader.logs({ ...range, filter }, (logs) => {
      for (const log of logs) store.take(log);
    });
  }
  if (burnsFromCustody(store.logs, chain)) await takePayments(store, reader, chain, range);
  return store.logs;
}

/** Takes the transfers of the base asset from the vaults and their custody. */
async function takePayments(
  store: ReturnType<typeof createVaultLogStore>,
  reader: ChainReader,
  chain: FamilyChainConfig,
  range: Range,
): Promise<void> {
  const ask = reader.askAt(range.toBlock);
  const asset = await need<Address>(ask, chain.address, 'asset() view returns (address)');
  const payers = [...vaultsOf(chain), ...chain.custody].map(wordOf);
  const filter = { addresses: [lower(asset)], topics: [[TRANSFER], payers] };
  await reader.logs({ ...range, filter }, (logs) => {
    for (const log of logs) store.takePayment(log);
  });
}

async function readDeclarations(
  reader: ChainReader,
  { registry }: FamilyChainConfig,
  range: Range,
): Promise<Declaration[]> {
  if (registry === undefined) return [];
  const found: Declaration[] = [];
  const filter = { addresses: [lower(registry)], topics: [[POOL_DECLARED]] };
  await reader.logs({ ...range, filter }, (logs) => {
    for (const log of logs) {
      const declared = declarationOf(log);
      if (declared !== undefined) found.push(declared);
    }
  });
  return found;
}

/** A share token that the configuration describes. */
async function readDescribed(
  family: FamilyConfig,
  chain: FamilyChainConfig,
  rated: RatedConfig,
  reader: ChainReader,
  head: number,
): Promise<Deployment> {
  const { share, ledger, flows } = rated;
  const shareDecimals = await need<number>(reader.askAt(head), share, DECIMALS);
  const logStore = createVaultLogStore(share, [chain.address]);
  const addresses = [...new Set([share, ...flows.map(({ contract }) => contract)])];
  const burns = ledger.burn === null ? [] : [ledger.burn.topic];
  const topics = [[...new Set([ledger.topic, ...burns, ...flows.map(({ topic }) => topic)])]];
  const range = { fromBlock: chain.startBlock, toBlock: head };
  await reader.logs({ ...range, filter: { addresses, topics } }, (logs) => {
    for (const log of logs) takeRatedLog(rated, logStore, log);
  });
  const askAt = (block: number) =>
    askDescribed({
      ...{ rated, shareDecimals, address: chain.address },
      ...{
        ask: reader.askAt(block),
        call: reader.callAt(block),
        time: () => reader.timeAt(block),
      },
    });
  const facts = { family, chain, master: null, share, shareDecimals, logs: logStore.logs };
  return { ...facts, declarations: [], askAt, storageAt: reader.storageAt, reader };
}

function burnsFromCustody({ transfers }: VaultLogs, { custody }: FamilyChainConfig): boolean {
  const named = new Set(custody.map(lower));
  return transfers.some(({ from, to }) => named.has(from) && to === ZERO_ADDRESS);
}
