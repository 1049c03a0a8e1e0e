/** How a source's governance events are read; `contracts` are sorted. */
export interface ReadRules {
  /** Of the source: another one is another vault. */
  readonly fingerprint: string;
  /** Of the events and how they are read. */
  readonly events: string;
  readonly contracts: readonly string[];
}

export interface ReadSoFar {
  readonly startBlock: number;
  readonly indexedBlock: number;
  readonly readBlock: number | null;
  readonly rules: string | null;
  readonly from: number | null;
  readonly to: number | null;
}

export interface ReadPlan {
  /** To be stored. */
  readonly rules: string;
  /** Whether stored rows are of another vault. */
  readonly forgets: boolean;
  /** Indexed blocks whose governance events are to be read; null: none. */
  readonly missing: { readonly from: number; readonly to: number } | null;
}

/**
 * Returns what is to be read of the blocks that were indexed before; undefined if nothing changes. Contracts that are
 * missing now, because one did not respond, are no reason to read again.
 */
export function planRead(so: ReadSoFar, now: ReadRules): ReadPlan | undefined {
  const known = so.rules === null ? null : parseRules(so.rules);
  const isSame = known?.fingerprint === now.fingerprint;
  const contracts = [...new Set([...(isSame ? known.contracts : []), ...now.contracts])].sort();
  const rules = [now.fingerprint, now.events, ...contracts].join(' ');
  if (rules !== so.rules) {
    const missing = stretch(so.startBlock, so.indexedBlock);
    return { rules, forgets: known !== null && !isSame, missing };
  }
  const readBlock = so.readBlock ?? so.startBlock - 1;
  // An older version has indexed these blocks in the meantime.
  if (readBlock >= so.indexedBlock) return undefined;
  const isLeft = so.from !== null && so.to !== null && so.from <= so.to;
  const from = isLeft ? Math.min(so.from, readBlock + 1) : readBlock + 1;
  return { rules, forgets: false, missing: stretch(from, so.indexedBlock) };
}

function parseRules(text: string): ReadRules {
  const [fingerprint = '', events = '', ...contracts] = text.split(' ');
  return { fingerprint, events, contracts };
}

function stretch(from: number, to: number): ReadPlan['missing'] {
  return from <= to ? { from, to } : null;
}
