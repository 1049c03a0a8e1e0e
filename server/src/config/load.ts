import { type Hex, lower } from '../domain/hex.ts';
import { parseDuration, type Retention } from '../domain/series/retention.ts';
import { DAY } from '../domain/time.ts';
import { toBackup } from './backupSchema.ts';
import { findClashes } from './clashes.ts';
import { toComputeUnits } from './computeUnitsSchema.ts';
import type {
  AssetText,
  ChainConfig,
  Config,
  FamilyChainConfig,
  FamilyConfig,
  FeedConfig,
  PoolPosition,
  PoolText,
  PricesConfig,
} from './config.ts';
import { findInconsistencies } from './consistency/index.ts';
import { type ConfigDocument, readDocument } from './document.ts';
import { type FromEnvironment, readEnvironment } from './environment.ts';
import { mergeDocuments } from './merge.ts';
import { ConfigError, type ConfigProblem } from './problem.ts';
import type { RatedConfig } from './rated/description.ts';
import { type RatedFound, readRated } from './rated/families.ts';
import { listFolder, readText } from './readText.ts';
import { renameKeys } from './renamedKeys.ts';
import { RISK_REFRESH_HOURS } from './riskSchema.ts';
import { type ConfigFile, DEFAULTS, fileSchema } from './schema.ts';
import { findShapeProblems } from './shape.ts';
import { toAlerts } from './toAlerts.ts';
import { toPayments } from './toPayments.ts';
import type { Environment } from './variables.ts';
import { toWebhooks } from './webhookSchema.ts';

/** Loads and validates a configuration: a file, or a folder of files. Throws a ConfigError with every problem. */
export function loadConfig({ file, env }: { file: string; env: Environment }): Config {
  const files = listFolder(file);
  if (files === undefined) return parseConfig({ file, text: readText(file), env });
  const parts = files.map((one) => ({ file: one, document: readDocument(readText(one), env) }));
  const { config, document } = toChecked(file, mergeDocuments(parts), env);
  return deepFreeze({ ...config, keys: keysOf(config, document) });
}

/** Does the same for a text; `file` is only used in messages. */
export function parseConfig(options: { file: string; text: string; env: Environment }): Config {
  const { file, text, env } = options;
  return deepFreeze(toChecked(file, readDocument(text, env), env).config);
}

function toChecked(file: string, found: ConfigDocument, env: Environment) {
  const { document, warnings } = renameKeys(found);
  const environment = readEnvironment(env);
  const problems: ConfigProblem[] = [...document.problems, ...environment.problems];
  if (document.value === null) {
    problems.push(whole('the file is empty; list at least chains and families in it'));
  } else if (document.value !== undefined) {
    problems.push(...findShapeProblems(fileSchema, document), ...findInconsistencies(document));
  }
  if (problems.length > 0) throw new ConfigError(file, inFileOrder(problems));
  const read = document.value as ConfigFile;
  const rated = readRated(read.families);
  const config = {
    ...toConfig(file, read, environment.found, rated.found),
    ...(warnings.length > 0 && { warnings }),
  };
  const clashes = [...rated.problems, ...findClashes(config)].map(({ path, message }) => ({
    ...document.placeOf(path),
    message,
  }));
  if (clashes.length > 0) throw new ConfigError(file, inFileOrder(clashes));
  return { config, document };
}

/** Names the file of each entry, for example "assay.d/base.yaml families[0]". */
function keysOf({ chains, families }: Config, { placeOf }: ConfigDocument): Config['keys'] {
  const keyOf = (path: string) => `${placeOf(path).file} ${placeOf(path).path}`;
  return {
    chains: chains.map((_, i) => keyOf(`chains[${i}]`)),
    families: families.map((_, i) => keyOf(`families[${i}]`)),
  };
}

function whole(message: string): ConfigProblem {
  return { line: null, path: '', message };
}

function inFileOrder(problems: readonly ConfigProblem[]): ConfigProblem[] {
  return [...problems].sort((a, b) => {
    const [first = '', second = ''] = [a.file, b.file];
    if (first !== second) return first < second ? -1 : 1;
    return (a.line ?? 0) - (b.line ?? 0);
  });
}

function toConfig(file: string, read: ConfigFile, env: FromEnvironment, rated: RatedFound): Config {
  return {
    file,
    http: {
      host: env.host ?? read.http?.host ?? DEFAULTS.host,
      port: env.port ?? read.http?.port ?? DEFAULTS.port,
      adminPort: env.adminPort ?? read.http?.adminPort ?? DEFAULTS.adminPort,
      ...((env.accessLog ?? read.http?.accessLog) && { accessLog: true }),
      ...metricsPlace(env.metricsPort ?? read.http?.metricsPort),
      ...(read.http?.publicUrl !== undefined && {
        publicUrl: read.http.publicUrl.replace(/\/+$/, ''),
      }),
      drainSeconds:
        env.drainSeconds ??
        read.http?.drainSeconds ??
        (env.databaseUrl === undefined ? 0 : DEFAULTS.drainSeconds),
      rateLimit: toRateLimit(read.http?.rateLimit ?? {}),
    },
    store: {
      folder: read.store?.folder ?? DEFAULTS.storeFolder,
      minFreeBytes: read.store?.minFreeBytes ?? DEFAULTS.minFreeBytes,
      ...(env.databaseUrl !== undefined && { databaseUrl: env.databaseUrl }),
      ...(env.replicaUrl !== undefined && {
        replicaUrl: env.replicaUrl,
        maxStaleSeconds: read.store?.maxStaleSeconds ?? DEFAULTS.maxStaleSeconds,
      }),
    },
    ...(read.backup !== undefined && { backup: toBackup(read.backup) }),
    chains: read.chains.map((chain) => toChain(chain, read.acceptGaps)),
    families: read.families.map((family) => toFamily(family, rated)),
    prices: toPrices(read.prices ?? {}),
    ticks: {
      liveSeconds: read.ticks?.liveSeconds ?? DEFAULTS.liveSeconds,
      backfillSeconds: read.ticks?.backfillSeconds ?? DEFAULTS.backfillSeconds,
    },
    ...(read.events !== undefined && { events: { ticks: false, ...read.events } }),
    ...(read.retention !== undefined && { retention: toRetention(read.retention) }),
    risk: {
      ...(read.risk?.curated !== undefined && { curated: read.risk.curated }),
      sources: read.risk?.sources ?? {},
      refreshHours: read.risk?.refreshHours ?? RISK_REFRESH_HOURS,
    },
    ...(read.webhooks !== undefined && { webhooks: toWebhooks(read.webhooks) }),
    ...(read.alerts !== undefined && {
      alerts: toAlerts(
        read.alerts,
        read.families.map(({ slug }) => slug),
      ),
    }),
    ...(read.payments !== undefined && { payments: toPayments(read.payments) }),
    ...(read.legacyApi !== undefined && {
      legacyApi: { until: endOfDay(read.legacyApi.until) },
    }),
    ...(read.embed !== undefined && { embed: read.embed }),
    ...(read.demo !== undefined && { demo: { walletKey: read.demo.walletKey as Hex } }),
  };
}

function metricsPlace(metricsPort: number | undefined): { metricsPort?: number } {
  return metricsPort === undefined ? {} : { metricsPort };
}

/** The schema validates durations. */
function toRetention({ raw, hour }: NonNullable<ConfigFile['retention']>): Retention {
  return {
    raw: parseDuration(raw)!,
    ...(hour !== undefined && { hour: parseDuration(hour)! }),
  };
}

/** The last second of a day in UTC. */
function endOfDay(date: string): number {
  return Date.parse(date) / 1000 + DAY - 1;
}

function toRateLimit(read: NonNullable<NonNullable<ConfigFile['http']>['rateLimit']>) {
  return {
    perSecond: read.perSecond ?? DEFAULTS.requestsPerSecond,
    burst: read.burst ?? DEFAULTS.requestBurst,
    loopback: read.loopback ?? false,
    trustedProxies: read.trustedProxies ?? [],
    connections: read.connections ?? DEFAULTS.connections,
  };
}

function toChain(read: ConfigFile['chains'][number], acceptGaps: boolean | undefined): ChainConfig {
  return {
    chainId: read.id,
    name: read.name,
    rpcUrls: (read.rpc ?? []).filter((url) => url !== ''),
    finality: read.finality ?? DEFAULTS.finality,
    pollSeconds: read.pollSeconds ?? DEFAULTS.pollSeconds,
    timeoutSeconds: read.timeoutSeconds ?? DEFAULTS.timeoutSeconds,
    ...(read.callsPerDay !== undefined && { callsPerDay: read.callsPerDay }),
    ...(read.callsPerSecond !== undefined && { callsPerSecond: read.callsPerSecond }),
    ...(read.computeUnits !== undefined && { computeUnits: toComputeUnits(read.computeUnits) }),
    logRange: read.logRange ?? DEFAULTS.logRange,
    concurrency: read.concurrency ?? DEFAULTS.concurrency,
    multicall: lower(read.multicall ?? DEFAULTS.multicall),
    ...((read.acceptGaps ?? acceptGaps) && { acceptGaps: true }),
  };
}

type FamilyFile = ConfigFile['families'][number];
type PositionFile = NonNullable<NonNullable<FamilyFile['pools']>[number]['position']>;

function toFamily(read: FamilyFile, rated: RatedFound): FamilyConfig {
  const first = read.chains.find(({ role }) => role === 'settlement');
  return {
    slug: read.slug,
    name: read.name,
    address: lower(first?.address ?? read.address),
    adapter: read.adapter,
    feederOf: read.feederOf ?? null,
    bindingDeclarationAddress: lower(
      read.bindingDeclarationAddress ?? first?.address ?? read.address,
    ),
    baseAsset: toAsset(read.base),
    shareAsset: toAsset(read.share),
    priceFeed: read.priceFeed ?? null,
    chains: read.chains.map((chain) => ({
      chainId: chain.chain,
      role: chain.role,
      address: lower(chain.address ?? read.address),
      vaults: (chain.vaults ?? []).map(lower),
      ...tokensOf(chain, rated.get(chain)),
      startBlock: chain.startBlock ?? 0,
      ...(chain.oracle !== undefined && { oracle: lower(chain.oracle) }),
      ...(chain.registry !== undefined && { registry: lower(chain.registry) }),
      routers: (chain.routers ?? []).map(lower),
      custody: (chain.custody ?? []).map(lower),
      ...(rated.has(chain) && { rated: rated.get(chain)! }),
    })),
    pools: (read.pools ?? []).map(toPool),
  };
}

/** A description already names the share token, and the token of its unit. */
function tokensOf(
  chain: FamilyFile['chains'][number],
  rated: RatedConfig | undefined,
): Pick<FamilyChainConfig, 'asset' | 'share'> {
  const asset = rated?.unit.kind === 'token' ? rated.unit.token : chain.asset;
  const share = rated?.share ?? chain.share;
  return {
    ...(asset !== undefined && { asset: lower(asset) }),
    ...(share !== undefined && { share: lower(share) }),
  };
}

function toAsset(read: FamilyFile['base']): AssetText {
  return {
    ...(read.symbol !== undefined && { symbol: read.symbol }),
    ...(read.name !== undefined && { name: read.name }),
    marketDataId: read.marketDataId,
  };
}

function toPool(read: NonNullable<FamilyFile['pools']>[number]): PoolText {
  return {
    offchainId: read.offchainId,
    name: read.name,
    protocolName: read.protocol,
    poolUrl: read.url,
    description: read.description ?? '',
    composition: (read.composition ?? []).map((part) => ({
      kind: part.kind,
      chainId: part.chain,
      address: lower(part.address),
      symbol: part.symbol,
      share: part.share,
    })),
    ...(read.position !== undefined && { position: toPosition(read.position) }),
  };
}

function toPosition({ chain, kind, address, holder }: PositionFile): PoolPosition {
  return {
    chainId: chain,
    kind,
    address: lower(address),
    ...(holder !== undefined && { holder: lower(holder) }),
  };
}

function toPrices(read: NonNullable<ConfigFile['prices']>): PricesConfig {
  const { marketData } = read;
  const feeds = Object.entries(read.feeds ?? {}).map(([name, feed]): FeedConfig => {
    // Exactly one of the two is present, and an aggregator has its chain: see consistency/feeds.ts.
    if (feed.marketDataId !== undefined) {
      return { name, kind: 'market-data', marketDataId: feed.marketDataId };
    }
    return {
      name,
      kind: 'aggregator',
      chainId: feed.chain!,
      address: lower(feed.aggregator!),
      startBlock: feed.startBlock ?? 0,
    };
  });
  return {
    maxAgeSeconds: read.maxAgeSeconds ?? DEFAULTS.maxAgeSeconds,
    feeds,
    ...(marketData !== undefined && {
      marketData: {
        url: marketData.url,
        ...(marketData.apiKey !== undefined && { apiKey: marketData.apiKey }),
        pollSeconds: marketData.pollSeconds ?? DEFAULTS.marketDataPollSeconds,
      },
    }),
  };
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
