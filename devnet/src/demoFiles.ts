import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Address } from 'viem';
import { UNCONFIGURED } from './plan.ts';
import type { World, WorldFamily } from './world.ts';

export interface DemoOptions {
  readonly host: string;
  readonly port: number;
  readonly adminPort: number;
  readonly folder: string;
  /** Between ticks of the past; an hour unless told. */
  readonly pastSeconds?: number;
  /** RPC URLs of the server's configuration, by chain id; the chains' own unless given. */
  readonly rpcUrls?: ReadonlyMap<number, string>;
}

/** The chain is not the real one, but looks like it to a wallet. */
export const WARNING =
  'Pay the demo only with the wallets of .assay/demo.json. Its chain has the id, the stablecoin and the signing domain of a real one: what another key signs for it could be spent there.';

const FINALITY_DEPTH = 64;
const PAYMENT_CHAIN = 8453;

/** Writes the server's configuration and the file that other tools drive the demo through. */
export async function writeDemoFiles(world: World, options: DemoOptions): Promise<void> {
  await mkdir(options.folder, { recursive: true });
  await writeWhole(join(options.folder, 'demo.yaml'), demoConfig(world, options), 0o600);
  const text = `${JSON.stringify(demoDescription(world, options), null, 2)}\n`;
  await writeWhole(join(options.folder, 'demo.json'), text, 0o600);
}

export function demoDescription(world: World, { host, port, adminPort }: DemoOptions) {
  return {
    warning: WARNING,
    apiUrl: `http://${hostInUrl(host)}:${port}`,
    adminUrl: `http://${hostInUrl(host)}:${adminPort}`,
    chains: world.chains.map(({ chainId, url }) => ({ chainId, rpcUrl: url })),
    families: world.families.map(({ slug, address, chains }) => ({
      slug,
      address,
      chains: [
        ...chains.map(({ chainId }) => chainId),
        ...(slug === UNCONFIGURED.family ? [UNCONFIGURED.chainId] : []),
      ],
    })),
    router: world.router,
    stablecoin: world.stablecoin,
    payTo: world.payTo.address,
    wallets: world.wallets,
    blockedWallet: world.blockedWallet,
    facilitators: world.facilitators,
  };
}

/** YAML by hand: the shape is fixed, and every value is written as JSON, which YAML includes. */
export function demoConfig(world: World, options: DemoOptions): string {
  const { host, port, adminPort, folder, pastSeconds = 3600, rpcUrls } = options;
  const lines = [
    '# Written by the devnet at every start; changes are lost.',
    `http: { host: ${text(host)}, port: ${port}, adminPort: ${adminPort} }`,
    `store: { folder: ${text(join(folder, 'store'))} }`,
    `ticks: { liveSeconds: 300, backfillSeconds: ${pastSeconds} }`,
    'chains:',
    ...world.chains.map(
      ({ chainId, name, url }) =>
        `  - { id: ${chainId}, name: ${name}, rpc: [${text(rpcUrls?.get(chainId) ?? url ?? '')}], finality: { depth: ${FINALITY_DEPTH} }, pollSeconds: 1 }`,
    ),
    `  - { id: ${UNCONFIGURED.chainId}, name: ${UNCONFIGURED.name} }`,
    'prices:',
    '  maxAgeSeconds: 86400',
    '  feeds:',
    ...world.feeds.map(
      ({ name, chainId, address, startBlock }) =>
        `    ${name}: { aggregator: ${text(address)}, chain: ${chainId}, startBlock: ${startBlock} }`,
    ),
    ...paymentLines(world),
    ...walletLines(world),
    'families:',
    ...world.families.flatMap((family) => familyLines(world, family)),
  ];
  return `${lines.join('\n')}\n`;
}

/** The paid risk query API, settled by the demo's own keys. Invoices name it as `http` above does. */
function paymentLines({ stablecoin, payTo, blockedWallet, facilitators }: World): string[] {
  return [
    'payments:',
    `  chain: ${PAYMENT_CHAIN}`,
    `  asset: ${text(stablecoin)}`,
    `  payTo: ${text(payTo.address)}`,
    `  blocked: [${text(blockedWallet.address)}]`,
    '  facilitator:',
    `    keys: [${facilitators.map(({ privateKey }) => text(privateKey)).join(', ')}]`,
  ];
}

/** The dashboard's own wallet: the last, since people take the first. */
function walletLines({ wallets }: World): string[] {
  return [`demo: { walletKey: ${text(wallets.at(-1)!.privateKey)} }`];
}

function familyLines(world: World, family: WorldFamily): string[] {
  const { oracle, registry, router } = world;
  const pools = family.pools.flatMap((pool) => [
    `      - offchainId: ${pool.offchainId}`,
    `        name: ${text(pool.name)}`,
    `        protocol: ${text(pool.protocol)}`,
    `        url: ${text(`https://${pool.protocol.toLowerCase().replaceAll(' ', '-')}.example/${pool.offchainId.split(':')[2]}`)}`,
    `        description: ${text(describePool(pool))}`,
    '        composition:',
    `          - ${part('underlying', pool.chainId, pool.asset, pool.assetSymbol, 1)}`,
    ...pool.collateral.flatMap(({ symbol, share }) => {
      const address = world.chain(pool.chainId).scene.tokens.get(symbol);
      return address
        ? [`          - ${part('collateral', pool.chainId, address, symbol, share)}`]
        : [];
    }),
  ]);
  return [
    `  - slug: ${family.slug}`,
    `    name: ${text(family.name)}`,
    `    address: ${text(family.address)}`,
    '    adapter: receiver-queue',
    `    feederOf: ${family.feederOf ?? 'null'}`,
    `    bindingDeclarationAddress: ${text(family.bindingDeclarationAddress)}`,
    `    base: { marketDataId: ${family.marketDataId} }`,
    `    share: { marketDataId: ${family.slug} }`,
    `    priceFeed: ${family.priceFeed}`,
    '    chains:',
    ...family.chains.map(
      ({ chainId, role, startBlock }) =>
        `      - { chain: ${chainId}, role: ${role}, startBlock: ${startBlock}, oracle: ${text(oracle)}, registry: ${text(registry)}, routers: [${text(router)}] }`,
    ),
    ...(family.slug === UNCONFIGURED.family
      ? [`      - { chain: ${UNCONFIGURED.chainId}, role: execution, startBlock: 0 }`]
      : []),
    ...(pools.length > 0 ? ['    pools:', ...pools] : ['    pools: []']),
  ];
}

function describePool(pool: WorldFamily['pools'][number]): string {
  const what = {
    1: pool.idleOnly ? 'Holds the asset ready to pay exits' : 'Earns by lending the asset',
    2: 'Earns; leaving takes two days in its own queue',
    3: 'Earns, and streams rewards on top',
  }[pool.kind];
  return `${what}.`;
}

function part(kind: string, chain: number, address: Address, symbol: string, share: number) {
  return `{ kind: ${kind}, chain: ${chain}, address: ${text(address)}, symbol: ${symbol}, share: ${share} }`;
}

function text(value: string): string {
  return JSON.stringify(value);
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Never half a file, and never readable wider than `mode`, not even for a moment. */
async function writeWhole(path: string, content: string, mode: number): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, content, { mode });
  await chmod(draft, mode);
  await rename(draft, path);
}
