import type { LogFilter, RawLog } from '../../chain/chainClient.ts';
import type { FamilyState } from '../../domain/vault/state.ts';
import type { Queryable } from '../../store/store.ts';
import type { VaultRow } from '../../store/vaults/vaults.ts';
import { createGovernance, type Governance } from '../../vaults/governance/governance.ts';
import { KINDS } from '../../vaults/index.ts';
import type { Detail, LastBalances, Rounds, Unread, VaultOnChain } from '../../vaults/kind.ts';
import type { FamilySource } from '../sources.ts';
import { type Asking, createFamilyLogs, type Taken } from './familyLogs.ts';
import { readStoredSources, type StoredSource } from './storedSource.ts';

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

/** Opens a reader at the checkpoint of `stored`. */
export function createFamilyReader(
  source: FamilySource,
  facts: VaultRow,
  vault: VaultOnChain,
  stored: StoredSource,
): FamilyReader {
  const { familyId, chainId } = facts;
  const kind = KINDS[source.family.adapter];
  const wanted = kind.wantedLogs(vault);
  const governance = createGovernance(vault, wanted);
  const logs = createFamilyLogs(source, vault, governance, stored);
  const lastBalances: LastBalances = new Map();

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
    take: logs.take,
    stateAt: (block, time, detail) =>
      kind.state(vault, {
        block,
        time,
        detail,
        pools: logs.poolsAt(block),
        lastBalances,
        queued: logs.queues.totalsAt(block),
        waiters: kind.queue === 'calls' ? logs.queues.waiters() : [],
      }),
    async reopen(store, upTo) {
      const asked = [{ familyId, shareDecimals: vault.shareDecimals, kind }];
      const before = await readStoredSources(store, chainId, asked, upTo);
      return createFamilyReader(source, facts, vault, before(familyId));
    },
  };
}
