import type { AnswerBytes } from './answerBytes.ts';
import type { Families } from './route.ts';

/** The cache settings of a response. */
export interface AnswerPlan {
  /** Identifies the request: equivalent requests have the same key. */
  readonly key: string;
  /** The URL as received; a cached response is found by it without parsing. */
  readonly url: string;
  /** Undefined: shared by concurrent requests, not cached. */
  readonly families: Families | undefined;
  readonly maxAge: number;
  make(): Promise<AnswerBytes>;
}

export interface ResponseCache {
  /** Returns the cached response for exactly this URL. */
  find(url: string): AnswerBytes | undefined;
  /** Returns the cached response, or the one in progress, or a new one. */
  load(plan: AnswerPlan): Promise<AnswerBytes>;
  /** Invalidates the responses that depend on a family. */
  forget(family: string): void;
  /** Drops all: the database became unavailable or available again. */
  clear(): void;
  /** Bytes in use. */
  readonly size: number;
}

interface Kept {
  readonly answer: AnswerBytes;
  readonly key: string;
  readonly families: Families;
  readonly size: number;
  readonly until: number;
  /** Forms of its URL by which it is found directly. */
  readonly urls: string[];
}

interface InFlight {
  readonly families: Families;
  readonly promise: Promise<AnswerBytes>;
}

const DEFAULT_BYTES = 64 * 1024 * 1024;
/**
 * Maximum age of a cached response in this process, however long clients may cache it: a notification can be lost
 * with its connection, and a replica can be read before it has the change.
 */
const MAX_SECONDS = 30;
/** URL forms per response; other forms are found by the key. */
const MAX_URLS = 4;
const LONGEST_URL = 512;
/** Memory of an entry in addition to its bytes: headers and four URLs. */
const OVERHEAD = 4_096;

/** Caches responses by request and evicts the least recently used. `clock` returns monotonic milliseconds. */
export function createResponseCache(
  options: { readonly maxBytes?: number; readonly clock?: () => number } = {},
): ResponseCache {
  const { maxBytes = DEFAULT_BYTES, clock = () => performance.now() } = options;
  // In order of last use.
  const kept = new Map<string, Kept>();
  const urls = new Map<string, Kept>();
  const byFamily = new Map<string, Set<Kept>>();
  const ofAll = new Set<Kept>();
  const inFlight = new Map<string, InFlight>();
  let size = 0;

  function use(entry: Kept): AnswerBytes {
    kept.delete(entry.key);
    kept.set(entry.key, entry);
    return entry.answer;
  }

  function drop(entry: Kept): void {
    if (kept.get(entry.key) !== entry) return;
    kept.delete(entry.key);
    size -= entry.size;
    for (const url of entry.urls) urls.delete(url);
    ofAll.delete(entry);
    if (entry.families === 'all') return;
    for (const family of entry.families) {
      const those = byFamily.get(family);
      those?.delete(entry);
      if (those?.size === 0) byFamily.delete(family);
    }
  }

  function keep(plan: AnswerPlan, families: Families, answer: AnswerBytes): void {
    const until = clock() + Math.min(plan.maxAge, MAX_SECONDS) * 1000;
    // Its compressed forms, created later, are together smaller than the plain one.
    const weight = answer.length * 2 + OVERHEAD;
    const entry: Kept = { answer, key: plan.key, families, size: weight, until, urls: [] };
    if (entry.size > maxBytes / 4) return;
    const before = kept.get(plan.key);
    if (before !== undefined) drop(before);
    kept.set(plan.key, entry);
    size += entry.size;
    if (families === 'all') ofAll.add(entry);
    else
      for (const family of families) {
        const those = byFamily.get(family) ?? new Set();
        byFamily.set(family, those.add(entry));
      }
    for (const oldest of kept.values()) {
      if (size <= maxBytes) break;
      drop(oldest);
    }
  }

  function remember(url: string, entry: Kept): void {
    if (url.length > LONGEST_URL || entry.urls.length >= MAX_URLS || urls.has(url)) return;
    entry.urls.push(url);
    urls.set(url, entry);
  }

  function find(url: string): AnswerBytes | undefined {
    const entry = urls.get(url);
    if (entry === undefined) return undefined;
    if (clock() < entry.until) return use(entry);
    drop(entry);
    return undefined;
  }

  function start(plan: AnswerPlan): Promise<AnswerBytes> {
    const promise = plan.make().then(
      (answer) => {
        // Removed if a family changed meanwhile: the response may have been read before the change.
        const current = inFlight.get(plan.key)?.promise === promise;
        if (current) inFlight.delete(plan.key);
        if (current && plan.families !== undefined) keep(plan, plan.families, answer);
        return answer;
      },
      (error: unknown) => {
        if (inFlight.get(plan.key)?.promise === promise) inFlight.delete(plan.key);
        throw error;
      },
    );
    inFlight.set(plan.key, { families: plan.families ?? [], promise });
    return promise;
  }

  async function load(plan: AnswerPlan): Promise<AnswerBytes> {
    const entry = kept.get(plan.key);
    if (entry !== undefined && clock() < entry.until) {
      remember(plan.url, entry);
      return use(entry);
    }
    const answer = await (inFlight.get(plan.key)?.promise ?? start(plan));
    const made = kept.get(plan.key);
    if (made?.answer === answer) remember(plan.url, made);
    return answer;
  }

  function forget(family: string): void {
    for (const entry of [...(byFamily.get(family) ?? []), ...ofAll]) drop(entry);
    for (const [key, { families }] of inFlight) {
      if (families === 'all' || families.includes(family)) inFlight.delete(key);
    }
  }

  function clear(): void {
    for (const entry of [...kept.values()]) drop(entry);
    inFlight.clear();
  }

  return {
    find,
    load,
    forget,
    clear,
    get size() {
      return size;
    },
  };
}
