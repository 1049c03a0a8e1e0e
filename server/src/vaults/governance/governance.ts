import { createHash } from 'node:crypto';
import type { RawLog } from '../../chain/chainClient.ts';
import type { AdapterName } from '../../config/config.ts';
import type { GovernanceChange } from '../../domain/governance/change.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import type { VaultOnChain, WantedLogs } from '../kind.ts';
import { type ChangeLayout, layoutOf } from './layout.ts';
import { SIGNATURES } from './signatures.ts';

/** Reads the governance events of a family's contracts on a chain. */
export interface Governance {
  /** The contracts whose events are read, sorted. */
  readonly addresses: readonly Address[];
  /** The first topics of the events. */
  readonly topics: readonly Hex[];
  /** Changes with the events that are read, and how. */
  readonly rules: string;
  /** Returns undefined for a log that reports no change. */
  read(log: RawLog, place: LogPlace): GovernanceChange | undefined;
}

/** Raise it to read the governance events of every store again. */
const RULES_VERSION = 1;

/** The events of a kind, which all its families share: a chain can have thousands of them. */
interface KnownEvents {
  readonly layouts: readonly ChangeLayout[];
  readonly topics: readonly Hex[];
  readonly byKey: ReadonlyMap<string, readonly ChangeLayout[]>;
  readonly anyOf: ReadonlySet<string | undefined>;
  readonly rules: string;
}

const knownEvents = new Map<AdapterName, KnownEvents>();

/** `wanted`: the logs that the kind reads anyway; governance is read from the same contracts. */
export function createGovernance(vault: VaultOnChain, wanted: WantedLogs): Governance {
  const { family, chain, found } = vault;
  const watched = (chain.rated?.watch ?? []).flatMap(({ contract, events }) =>
    events.map(({ event }) => ({ contract, layout: layoutOf('other', event) })),
  );
  const known = knownOf(family.adapter);
  const addresses = [
    ...new Set([
      ...wanted.addresses,
      ...(chain.rated?.watch ?? []).map(({ contract }) => contract),
    ]),
  ].sort();
  const { topics, anyOf, rules } = watched.length === 0 ? known : withWatched(known, watched);
  const { byKey } = known;
  const own = new Set<string>([...addresses, vault.share, found.oracle?.entry ?? '']);
  return {
    addresses,
    topics,
    rules,
    read(log, place) {
      // This runs for every log, and few are governance events.
      if (!anyOf.has(log.topics[0])) return undefined;
      const key = keyOf(log.topics[0], log.topics.length);
      for (const layout of byKey.get(key) ?? []) {
        const change = changeOf(layout, log, place);
        if (change !== undefined) return change;
      }
      const named = watched.find(({ contract, layout }) => {
        return contract === log.address && keyOf(layout.topic, layout.topics) === key;
      });
      return named && changeOf(named.layout, log, place);
    },
  };

  function changeOf(
    layout: ChangeLayout,
    log: RawLog,
    place: LogPlace,
  ): GovernanceChange | undefined {
    const fields = layout.read(log);
    // A contract that is not the vault can also govern others.
    if (fields === null || (fields.of !== null && !own.has(fields.of))) return undefined;
    const { subject, oldValue, newValue, at, delay } = fields;
    const { kind, event } = layout;
    const effectiveAt = at ?? (delay === null ? null : place.blockTime + delay);
    const { address: contract, transactionHash: txHash } = log;
    return { place, txHash, contract, kind, event, subject, oldValue, newValue, effectiveAt };
  }
}

/** Every event that is read of contracts of a kind. */
export function layoutsOf(adapter: AdapterName): readonly ChangeLayout[] {
  return knownOf(adapter).layouts;
}

function knownOf(adapter: AdapterName): KnownEvents {
  let found = knownEvents.get(adapter);
  if (found === undefined) {
    const layouts = SIGNATURES[adapter].flatMap((signatures) =>
      Object.entries(signatures).flatMap(([kind, texts]) =>
        texts.map((text) => layoutOf(kind as keyof typeof signatures, text)),
      ),
    );
    const topics = [...new Set(layouts.map(topicOf))];
    const rules = rulesOf(layouts.map(topicOf));
    found = { layouts, topics, byKey: groupByKey(layouts), anyOf: new Set(topics), rules };
    knownEvents.set(adapter, found);
  }
  return found;
}

/** With the events that the configuration of a family names. */
function withWatched(
  { layouts, topics: known }: KnownEvents,
  watched: readonly { readonly contract: Address; readonly layout: ChangeLayout }[],
): Pick<KnownEvents, 'topics' | 'anyOf' | 'rules'> {
  const topics = [...new Set([...known, ...watched.map(({ layout }) => layout.topic)])];
  const named = watched.map(({ contract, layout }) => contract + layout.topic);
  const rules = rulesOf([...layouts.map(topicOf), ...named]);
  return { topics, anyOf: new Set(topics), rules };
}

function rulesOf(read: readonly string[]): string {
  return createHash('sha256')
    .update([RULES_VERSION, ...read].join())
    .digest('hex')
    .slice(0, 16);
}

function topicOf({ topic }: ChangeLayout): Hex {
  return topic;
}

/** Events of one name with other fields indexed have the same topic. */
function keyOf(topic: string | undefined, topics: number): string {
  return `${topic} ${topics}`;
}

function groupByKey(all: readonly ChangeLayout[]): ReadonlyMap<string, readonly ChangeLayout[]> {
  const byKey = new Map<string, ChangeLayout[]>();
  for (const layout of all) {
    const key = keyOf(layout.topic, layout.topics);
    byKey.set(key, [...(byKey.get(key) ?? []), layout]);
  }
  return byKey;
}
