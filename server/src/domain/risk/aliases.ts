import { CHAIN_ALIASES, ORACLE_ALIASES, PROTOCOL_ALIASES } from './aliasTable.ts';

const chains = namesToSlug(CHAIN_ALIASES);
const protocols = namesToSlug(PROTOCOL_ALIASES);
const oracles = namesToSlug(ORACLE_ALIASES);

/**
 * A name as it stands in ids and paths: lower case, words joined by one hyphen, dots kept (`gate.io`). Letters of
 * every script stay; what has none at all has no slug, which is the empty text.
 */
export function slugOf(name: string): string {
  return (
    name
      .normalize('NFKC')
      .toLowerCase()
      .replace(/['’`]/g, '')
      // A plus is part of a name: USD+ is not USD.
      .replaceAll('+', '-plus-')
      .replace(/[^\p{L}\p{N}.]+/gu, '-')
      .replace(/^[-.]+|[-.]+$/g, '')
  );
}

/** The slug of the chain that a list calls by this name, in whatever spelling. */
export function chainSlug(name: string): string {
  return chains.get(bare(name)) ?? slugOf(name);
}

/** The slug of the protocol that a list calls by this name or slug. */
export function protocolSlug(name: string): string {
  return protocols.get(bare(name)) ?? slugOf(name);
}

/** The slug of the protocol behind an oracle that a list calls by this name. */
export function oracleSlug(name: string): string {
  return oracles.get(bare(name)) ?? slugOf(name);
}

function namesToSlug(table: Readonly<Record<string, readonly string[]>>): Map<string, string> {
  return new Map(
    Object.entries(table).flatMap(([slug, names]) =>
      [slug, ...names].map((name): [string, string] => [bare(name), slug]),
    ),
  );
}

/** Lists differ in case, spaces and signs before they differ in words. */
function bare(name: string): string {
  return slugOf(name).replace(/[-.]/g, '');
}
