import { isIP } from 'node:net';
import { isAddress } from 'viem/utils';
import type { ConfigDocument } from './document.ts';
import { findNearest } from './nearest.ts';
import { type ConfigProblem, joinPath, seenFrom } from './problem.ts';
import { isObject } from './shape.ts';
import { priceUnits } from './toPayments.ts';

/**
 * What a schema cannot say: names that point nowhere, things given twice, sums. It runs beside the check of
 * shape, so that all mistakes come at once; hence it takes nothing for granted and passes over what is misshapen.
 */
export function findInconsistencies(document: ConfigDocument): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const file = isObject(document.value) ? document.value : {};
  const chainIds = numbers(entries(file, 'chains').map(({ entry }) => entry.id));
  const chainsKnown =
    chainIds.length > 0 &&
    chainIds.length === entries(file, 'chains').length &&
    chainIds.every((id) => Number.isSafeInteger(id) && id > 0);
  const families = entries(file, 'families');
  const masters = new Map(families.map(({ entry }) => [entry.slug, entry.feederOf]));
  const slugs = strings([...masters.keys()]);
  const prices = isObject(file.prices) ? file.prices : {};
  const feeds = isObject(prices.feeds) ? prices.feeds : {};

  function fail(path: string, message: string): void {
    problems.push({ ...document.placeOf(path), message });
  }

  /** "families[0] (line 4)", told at another place. */
  function otherPlace(path: string, other: string, named = other): string {
    const where = seenFrom(document.placeOf(path), document.placeOf(other));
    return `${document.placeOf(named).path} (${where})`;
  }

  function checkUnique(list: readonly Entry[], key: string, what: string): void {
    const first = new Map<unknown, string>();
    for (const { entry, path } of list) {
      const value = entry[key];
      if (typeof value !== 'string' && typeof value !== 'number') continue;
      const normal = typeof value === 'string' ? value.toLowerCase() : value;
      const earlier = first.get(normal);
      if (earlier === undefined) first.set(normal, path);
      else {
        const change = `remove one of the two or change its ${key}`;
        const other = otherPlace(joinPath(path, key), joinPath(earlier, key), earlier);
        fail(joinPath(path, key), `is the same ${what} as ${other}; ${change}`);
      }
    }
  }

  function checkChain(chainId: unknown, path: string): void {
    // While a chain's own id is wrong, it is anyone's guess which one is meant.
    if (typeof chainId !== 'number' || chainIds.includes(chainId) || !chainsKnown) return;
    const fix = `add a chain with id ${chainId} there, or use one of ${listSome(chainIds.map(String))}`;
    fail(path, `is ${chainId}, which is not listed under chains; ${fix}`);
  }

  function checkProxies(): void {
    const http = isObject(file.http) ? file.http : {};
    const rateLimit = isObject(http.rateLimit) ? http.rateLimit : {};
    const proxies = Array.isArray(rateLimit.trustedProxies) ? rateLimit.trustedProxies : [];
    proxies.forEach((proxy: unknown, index) => {
      // IPv4 is judged by its shape; what IPv6 may look like no pattern says.
      if (typeof proxy !== 'string' || !proxy.includes(':')) return;
      if (isIP(proxy.split('/')[0]!) === 6) return;
      const path = joinPath('http.rateLimit.trustedProxies', index);
      fail(path, 'must be an IP address or a range such as fd00::/8; correct it');
    });
  }

  function checkName(name: unknown, known: readonly string[], path: string, what: string): void {
    if (typeof name !== 'string' || known.includes(name)) return;
    const nearest = findNearest(name, known);
    const fix =
      nearest !== undefined
        ? `did you mean ${nearest}?`
        : known.length > 0
          ? `known are ${listSome(known)}`
          : 'none is defined; add it or remove this key';
    const shown = document.isFromEnvironment(path)
      ? 'names'
      : `is ${JSON.stringify(name)}, which is`;
    fail(path, `${shown} no ${what}; ${fix}`);
  }

  function checkFeed(feed: Record<string, unknown>, path: string): void {
    const onChain = feed.aggregator !== undefined;
    const overHttp = feed.marketDataId !== undefined;
    if (onChain === overHttp) {
      fail(path, 'must have either aggregator (with its chain) or marketDataId; keep one');
      return;
    }
    if (onChain && feed.chain === undefined) {
      fail(joinPath(path, 'chain'), 'is missing; add the chain id of the aggregator');
    }
    if (overHttp && (feed.chain !== undefined || feed.startBlock !== undefined)) {
      fail(path, 'has chain or startBlock, which belong to an aggregator; remove them');
    }
    if (overHttp && prices.marketData === undefined) {
      fail(path, 'needs a market-data provider; add prices.marketData with its url');
    }
    checkChain(feed.chain, joinPath(path, 'chain'));
  }

  function checkFeeder(slug: string, path: string): void {
    const seen = [slug];
    for (let at = masters.get(slug); typeof at === 'string'; at = masters.get(at)) {
      if (at === slug) {
        const circle =
          seen.length === 1
            ? 'is the family itself'
            : `goes in a circle (${[...seen, slug].join(' → ')})`;
        fail(path, `${circle}; name another master family, or null`);
        return;
      }
      // A circle further up is reported where it is.
      if (seen.includes(at)) return;
      seen.push(at);
    }
  }

  function checkFamily({ entry, path }: Entry): void {
    const chains = entries(entry, 'chains', path);
    checkUnique(chains, 'chain', 'chain');
    for (const chain of chains) checkChain(chain.entry.chain, joinPath(chain.path, 'chain'));
    const roles = chains.map((chain) => chain.entry.role);
    if (roles.length > 0 && roles.every((role) => role === 'execution')) {
      fail(
        joinPath(path, 'chains'),
        'have no settlement chain; set role: settlement where users deposit',
      );
    }
    checkName(entry.priceFeed, Object.keys(feeds), joinPath(path, 'priceFeed'), 'feed');
    const feederPath = joinPath(path, 'feederOf');
    checkName(entry.feederOf, slugs, feederPath, 'family');
    if (typeof entry.slug === 'string') checkFeeder(entry.slug, feederPath);
    const pools = entries(entry, 'pools', path);
    checkUnique(pools, 'offchainId', 'pool');
    for (const pool of pools) checkPool(pool);
  }

  /** One vault belongs to one family; the same address on another chain is another contract. */
  function checkVaults(): void {
    const first = new Map<string, string>();
    for (const { entry, path } of families) {
      for (const chain of entries(entry, 'chains', path)) {
        const own = typeof chain.entry.address === 'string';
        const named = own ? joinPath(chain.path, 'address') : joinPath(path, 'address');
        const further = Array.isArray(chain.entry.vaults) ? chain.entry.vaults : [];
        checkVault(chain.entry.chain, own ? chain.entry.address : entry.address, named);
        further.forEach((vault: unknown, index) => {
          checkVault(chain.entry.chain, vault, joinPath(joinPath(chain.path, 'vaults'), index));
        });
      }
    }

    function checkVault(chain: unknown, address: unknown, path: string): void {
      if (typeof address !== 'string' || typeof chain !== 'number') return;
      const key = `${chain} ${address.toLowerCase()}`;
      const earlier = first.get(key);
      if (earlier === undefined) first.set(key, path);
      else if (earlier !== path) {
        const change = 'remove one of the two or change its address';
        const other = otherPlace(path, earlier);
        fail(path, `is the same vault as ${other} on chain ${chain}; ${change}`);
      }
    }
  }

  function checkPool({ entry, path }: Entry): void {
    if (isObject(entry.position)) {
      checkChain(entry.position.chain, joinPath(joinPath(path, 'position'), 'chain'));
    }
    const parts = entries(entry, 'composition', path);
    for (const part of parts) checkChain(part.entry.chain, joinPath(part.path, 'chain'));
    for (const kind of ['underlying', 'collateral']) {
      const shares = numbers(
        parts.filter((part) => part.entry.kind === kind).map((part) => part.entry.share),
      );
      const sum = shares.reduce((total, share) => total + share, 0);
      // Tenths do not add up exactly in binary.
      if (sum <= 1 + 1e-9 || shares.some((share) => share > 1)) continue;
      const shown = Number(sum.toFixed(6));
      fail(
        joinPath(path, 'composition'),
        `has ${kind} shares of ${shown} together; make them at most 1`,
      );
    }
  }

  function checkPayments(): void {
    if (!isObject(file.payments)) return;
    const { payments } = file;
    checkChain(payments.chain, 'payments.chain');
    const prices = isObject(payments.prices) ? payments.prices : {};
    for (const [route, usd] of Object.entries(prices)) {
      if (typeof usd !== 'number' || priceUnits(usd) !== undefined) continue;
      fail(joinPath('payments.prices', route), 'has more than 6 decimals; round it');
    }
    const gas = isObject(payments.gas) ? payments.gas : {};
    if (typeof gas.nativeUsd === 'number' && priceUnits(gas.nativeUsd) === undefined) {
      fail('payments.gas.nativeUsd', 'has more than 6 decimals; round it');
    }
    if (gas.priceShare !== undefined && gas.nativeUsd === undefined) {
      const fix = 'add payments.gas.nativeUsd, or remove it';
      fail('payments.gas.priceShare', `has no effect without the worth of a coin; ${fix}`);
    }
    const facilitator = isObject(payments.facilitator) ? payments.facilitator : undefined;
    if (facilitator === undefined) return;
    if ((facilitator.keys === undefined) === (facilitator.url === undefined)) {
      fail('payments.facilitator', 'must have either keys or url; keep one');
    }
  }

  function checkChecksums(value: unknown, path: string): void {
    if (Array.isArray(value)) {
      value.forEach((item: unknown, index) => {
        checkChecksums(item, joinPath(path, index));
      });
    } else if (isObject(value)) {
      for (const key of Object.keys(value)) checkChecksums(value[key], joinPath(path, key));
    } else if (typeof value === 'string' && hasWrongChecksum(value)) {
      const fix = 'copy it again from its source, or write it all in lower case if it is right';
      fail(path, `has a wrong checksum, so a digit or letter may be mistyped; ${fix}`);
    }
  }

  checkProxies();
  checkUnique(entries(file, 'chains'), 'id', 'chain');
  checkUnique(entries(file, 'chains'), 'name', 'name');
  checkUnique(families, 'slug', 'slug');
  checkVaults();
  for (const name of Object.keys(feeds)) {
    const feed = feeds[name];
    if (isObject(feed)) checkFeed(feed, joinPath('prices.feeds', name));
  }
  for (const family of families) checkFamily(family);
  checkPayments();
  checkChecksums(file, '');
  return problems;
}

interface Entry {
  readonly entry: Record<string, unknown>;
  readonly path: string;
}

function entries(object: Record<string, unknown>, key: string, path = ''): Entry[] {
  const list = object[key];
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown, index) =>
    isObject(entry) ? [{ entry, path: joinPath(joinPath(path, key), index) }] : [],
  );
}

function numbers(values: readonly unknown[]): number[] {
  return values.filter((value) => typeof value === 'number');
}

function strings(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string');
}

/** An address in one case carries no checksum. */
function hasWrongChecksum(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false;
  const digits = text.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return false;
  return !isAddress(text);
}

/** Thousands of names would bury the message. */
function listSome(names: readonly string[], most = 30): string {
  const shown = names.slice(0, most).join(', ');
  return names.length <= most ? shown : `${shown} and ${names.length - most} more`;
}
