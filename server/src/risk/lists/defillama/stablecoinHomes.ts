import { chainSlug, slugOf } from '../../../domain/risk/aliases.ts';
import type { Fields } from './fields.ts';
import { isObject, type Note } from './item.ts';
import { tokenAddress } from './tokens.ts';

/** A chain on which a stablecoin exists. */
export interface Home {
  readonly chain: string;
  readonly chainName: string;
  /** Its address there, or its key if no address is known. */
  readonly key: string;
  readonly isAddress: boolean;
  readonly bridged: boolean;
}

/**
 * Addresses of the largest coins, by the coin's id at the market-data provider: the endpoint has none, and the lists
 * lack those of some chains. `~` marks bridged coins.
 */
const LARGEST: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tether: {
    ethereum: '0xdac17f958d2ee523a2206206994597c13d831ec7',
    arbitrum: '~0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9',
    optimism: '~0x94b008aa00579c1307b0ef2c499ad98a8ce58e58',
    polygon: '~0xc2132d05d31c914a87c6611c10748aeb04b58e8f',
    bsc: '~0x55d398326f99059ff775485246999027b3197955',
    avalanche: '0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7',
  },
  'usd-coin': {
    ethereum: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
    base: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    arbitrum: '0xaf88d065e77c8cc2239327c5edb3a432268e5831',
    optimism: '0x0b2c639c533813f4aa9d7837caf62653d097ff85',
    polygon: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
    avalanche: '0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e',
  },
  dai: {
    ethereum: '0x6b175474e89094c44da98b954eedeac495271d0f',
    base: '~0x50c5725949a6f0c72e6c4a641f24049a917db0cb',
    arbitrum: '~0xda10009cbd5d07dd0cecc66161fc93d7c9000da1',
    optimism: '~0xda10009cbd5d07dd0cecc66161fc93d7c9000da1',
    polygon: '~0x8f3cf7ad23cd3cadbd9735aff958023239c6a063',
  },
  frax: { ethereum: '0x853d955acef822db058eb8505911ed77f175b99e' },
  'liquity-usd': { ethereum: '0x5f98805a4e8be255a32880fdec7f6728c6568ba0' },
  'paxos-standard': { ethereum: '0x8e870d67f660d95d5be530380d0ec0bd388289e1' },
};

export function homesOf(value: Record<string, unknown>, fields: Fields, note: Note): Home[] {
  const named = addressField(fields, note);
  const largest = Object.entries(LARGEST[fields.text('gecko_id') ?? ''] ?? {});
  const homes = [
    ...(named ? [named] : []),
    ...configuredHomes(value.chainConfig),
    ...largest.flatMap(([chain, key]) => home(chain, key.replace('~', ''), key[0] === '~') ?? []),
  ];
  return homes.length > 0 ? homes : nameOnly(value, fields);
}

/** `0x…` on Ethereum, or `chain:address`. */
function addressField(fields: Fields, note: Note): Home | undefined {
  const raw = fields.text('address');
  if (raw === undefined) return undefined;
  const prefixed = /^([a-z0-9_]+):(?!:)(.+)$/i.exec(raw);
  if (prefixed) return home(prefixed[1]!, prefixed[2]!, false);
  if (/^0x[0-9a-f]{40}$/i.test(raw)) return home('ethereum', raw, false);
  note('its address does not say on which chain it is', raw);
  return undefined;
}

function configuredHomes(config: unknown): Home[] {
  if (!isObject(config) || !isObject(config.chains)) return [];
  return Object.entries(config.chains).flatMap(([chain, uses]) => {
    if (!isObject(uses)) return [];
    return Object.entries(uses).flatMap(([use, addresses]) => {
      const bridged = /bridgedFrom/i.test(use);
      if (!bridged && !/issued$/i.test(use)) return [];
      return (Array.isArray(addresses) ? addresses : []).flatMap(
        (address: unknown) => home(chain, address, bridged) ?? [],
      );
    });
  });
}

function home(chainName: string, raw: unknown, bridged: boolean): Home | undefined {
  const key = tokenAddress(raw);
  const chain = chainSlug(chainName);
  if (key === undefined || chain === '') return undefined;
  return { chain, chainName, key, isAddress: true, bridged };
}

/** The endpoint only names chains: one node, on the chain with most of the supply. */
function nameOnly(value: Record<string, unknown>, fields: Fields): Home[] {
  const key = slugOf(fields.text('gecko_id') ?? fields.text('name') ?? '');
  const chainName = largestChain(value.chainCirculating) ?? fields.texts('chains')[0];
  const chain = chainSlug(chainName ?? '');
  if (chainName === undefined || key === '' || chain === '') return [];
  return [{ chain, chainName, key, isAddress: false, bridged: false }];
}

function largestChain(circulating: unknown): string | undefined {
  if (!isObject(circulating)) return undefined;
  let largest: [string, number] | undefined;
  for (const [chain, each] of Object.entries(circulating)) {
    const current = isObject(each) && isObject(each.current) ? Object.values(each.current)[0] : 0;
    const amount = typeof current === 'number' ? current : 0;
    if (largest === undefined || amount > largest[1]) largest = [chain, amount];
  }
  return largest?.[0];
}
