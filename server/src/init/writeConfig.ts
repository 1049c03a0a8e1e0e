import { getAddress } from 'viem';
import { KINDS } from '../vaults/index.ts';
import type { FamilyDraft } from './families.ts';
import type { FoundFeed } from './feed.ts';
import type { FoundVault } from './findVault.ts';
import type { OpenChain } from './openChains.ts';
import { rpcReference } from './rpcReference.ts';
import { address, comment, quoted, word } from './yamlText.ts';

export interface FileDraft {
  /** Where editors find the schema, from the file's own folder. */
  readonly schema: string;
  readonly chains: readonly OpenChain[];
  readonly feeds: readonly FoundFeed[];
  readonly families: readonly FamilyDraft[];
}

/** The configuration as text, with a comment on whatever was found and on what is left to fill in. */
export function writeConfig(draft: FileDraft): string {
  return [
    `# yaml-language-server: $schema=${draft.schema}`,
    '#',
    '# Written by assay init from what the contracts say. docs/assay.example.yaml explains every key,',
    '# assay check compares this file with the chains.',
    '',
    'chains:',
    ...draft.chains.flatMap(chainLines),
    '',
    ...priceLines(draft),
    '',
    'families:',
    ...draft.families.flatMap(familyLines),
    '',
  ].join('\n');
}

function chainLines({ chainId, name, urls, finality }: OpenChain): string[] {
  const references = urls.map((url, i) => rpcReference(name, url, i));
  const bare = references.filter((one) => one.bare).map(({ variable }) => variable);
  return [
    `  - id: ${chainId}`,
    `    name: ${name}`,
    ...(bare.length === 0
      ? []
      : [
          `    # ${bare.join(' and ')} must be set: the URL carries a key, so it does not stand here.`,
        ]),
    '    rpc:',
    ...references.map(({ text }) => `      - ${quoted(text, { raw: true })}`),
    ...(finality === 'finalized'
      ? []
      : [
          '    # The node does not say which blocks are finalized.',
          `    finality: ${typeof finality === 'string' ? finality : `{ depth: ${finality.depth} }`}`,
        ]),
  ];
}

function priceLines({ feeds, families }: FileDraft): string[] {
  const without = families.find(({ feed }) => feed === null);
  const left = without === undefined ? [] : [feedLine(without)];
  if (feeds.length === 0) {
    return [
      '# USD figures need a price feed for each base asset: a Chainlink-shaped aggregator, by its address.',
      '# prices:',
      '#   feeds:',
      ...left.map((line) => `#     ${line}`),
    ];
  }
  return [
    'prices:',
    '  feeds:',
    ...feeds.flatMap((feed) => [
      `    # ${comment(feed.description ?? 'without a description')}, ${feed.decimals} decimals.`,
      `    ${word(feed.name)}: { aggregator: ${address(feed.address)}, chain: ${feed.chain.chainId}${
        feed.startBlock === null ? '' : `, startBlock: ${feed.startBlock}`
      } }`,
    ]),
    ...left.map((line) => `    # ${line}`),
  ];
}

function feedLine(family: FamilyDraft): string {
  const { chainId } = family.chains[0]!.chain;
  return `${feedNameOf(family)}: { aggregator: "0x…", chain: ${chainId} }`;
}

/** What a feed of a family's base asset would be called. */
export function feedNameOf({ chains, slug }: FamilyDraft): string {
  const symbol = chains[0]!.vault.asset.symbol?.toLowerCase().replace(/[^a-z0-9]+/g, '');
  return `${symbol || slug}-usd`;
}

function familyLines(family: FamilyDraft): string[] {
  const { vault, allocator } = family.chains[0]!;
  const { kind, by, asset, share, implementation } = vault;
  return [
    `  # Known as ${kind} by ${by}${
      implementation === null
        ? ''
        : `; behind a ${implementation.by}, its code is at ${getAddress(implementation.address)}`
    }.`,
    ...(allocator === null ? [] : [`  # Its assets are spread by ${allocator}, read on chain.`]),
    `  - slug: ${word(family.slug)}`,
    `    name: ${quoted(family.name)}`,
    `    address: ${address(vault.address)}`,
    `    adapter: ${kind}`,
    ...masterLines(family),
    `    # ${tokenText(asset)}. The ids are passed on to clients: put those of your market-data provider.`,
    `    base: { marketDataId: ${idOf(asset.symbol, `${family.slug}-base`)} }`,
    `    # ${tokenText(share)}.`,
    `    share: { marketDataId: ${idOf(share.symbol, family.slug)} }`,
    family.feed === null
      ? `    # priceFeed: ${feedNameOf(family)}`
      : `    priceFeed: ${word(family.feed)}`,
    '    chains:',
    ...family.chains.flatMap(placeLines),
  ];
}

function masterLines({ feederOf, chains }: FamilyDraft): string[] {
  const { vault, price, feeds } = chains[0]!;
  if (feederOf !== null) {
    return [
      `    # It holds shares of this family and uses its price (${price!.entryBy}).`,
      `    feederOf: ${word(feederOf)}`,
      `    bindingDeclarationAddress: ${address(feeds!)}`,
    ];
  }
  if (price === null || price.entry === vault.address) return [];
  return [`    # Its price is that of ${getAddress(price.entry)} (${price.entryBy}).`];
}

function placeLines(found: FoundVault): string[] {
  const { chain, vault, further, startBlock, custody, routers } = found;
  return [
    `      - chain: ${chain.chainId}`,
    '        role: settlement',
    ...(startBlock === null
      ? [
          '        # The node keeps no old state, so the first block could not be found: 0 reads them all.',
          '        # startBlock: 0',
        ]
      : ['        # The first block with a contract of it.', `        startBlock: ${startBlock}`]),
    `        asset: ${address(vault.asset.address)}`,
    ...further.flatMap((one, i) => [
      ...(i === 0
        ? ['        # Further vaults over the same share token.', '        vaults:']
        : []),
      `          # For ${tokenText(one.asset)}.`,
      `          - ${address(one.address)}`,
    ]),
    ...priceSourceLines(found),
    ...custody.flatMap(({ address: account, by }, i) => [
      ...(i === 0
        ? [
            '        # Contracts that hold shares or assets for others, and what names them.',
            '        custody:',
          ]
        : []),
      `          - ${address(account)} # ${by}`,
    ]),
    ...(routers.length === 0
      ? []
      : [
          '        # Shares only passed through these, as far as the logs could be read.',
          `        routers: [${routers.map(address).join(', ')}]`,
        ]),
    ...(!KINDS[vault.kind].keys.includes('registry')
      ? []
      : ['        # registry: "0x…" # where one declares the pools of the vault']),
  ];
}

function priceSourceLines({ vault, price }: FoundVault): string[] {
  if (KINDS[vault.kind].price !== 'published') return [];
  if (price === null) {
    return [
      '        # The vault names no share-price oracle: without one it cannot be read.',
      '        # oracle: "0x…"',
    ];
  }
  const proof = price.proven
    ? 'its price is the one that convertToAssets() uses'
    : price.price === null
      ? 'it has no price of this vault yet'
      : 'its price is not what convertToAssets() says: look at it';
  return [`        # ${price.oracleBy}; ${proof}.`, `        oracle: ${address(price.oracle)}`];
}

function tokenText({ symbol, decimals }: { symbol: string | null; decimals: number }): string {
  return `${comment(symbol ?? 'a token without symbol')}, ${decimals} decimals`;
}

function idOf(symbol: string | null, fallback: string): string {
  const id = (symbol ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return word(/[a-z0-9]/.test(id) ? id : fallback);
}
