import { postAlert } from '../assembly/postAlert.ts';
import type { FlagValues } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import type { AlertTargetConfig, Config } from '../config/config.ts';
import { type AlertNotice, noticeText } from '../domain/alerts/text.ts';
import { evaluateClock, evaluateSeries } from '../ingest/alerts/evaluateFamily.ts';
import { toRequest } from '../ingest/alerts/targetRequest.ts';
import { type FamilyToWatch, familiesToWatch } from '../ingest/alerts/watchedRules.ts';
import { sourcesOf } from '../ingest/sources.ts';
import { unixTime } from '../runtime/unixTime.ts';
import type { AlertResult } from '../store/alerts/alerts.ts';
import { watchedSeries } from '../store/alerts/watchedSeries.ts';
import { families } from '../store/families/families.ts';
import type { Queryable } from '../store/store.ts';
import { getVaultsOf } from '../store/vaults/read.ts';
import { CONFIG } from './command.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';

interface TestArguments {
  /** Null: every alert. */
  readonly name: string | null;
  readonly send: boolean;
}

/** Evaluates without writing anything: the state of no alert changes. */
export const alertsTest: StoreCommand<TestArguments> = {
  name: 'alerts test',
  async runOn({ config, store, signal = new AbortController().signal }, args, print) {
    if (!config.alerts?.rules.length && args.name === null) {
      print(`${config.file} has no alerts; add them under alerts.rules`);
      return 0;
    }
    const own = withOnly(config, args.name);
    const notices: AlertNotice[] = [];
    for (const family of await loadFamilies(own, store)) {
      for (const result of await measure(own, store, family)) {
        const isFiring = result.transitions.length > 0;
        if (result.value === null) {
          print(`unknown     ${result.name}  ${family.family.slug}`);
          continue;
        }
        const notice = await toNotice(own, store, family, { ...result, value: result.value });
        print(`${isFiring ? 'would fire' : 'clear     '}  ${noticeText(notice)}`);
        notices.push(notice);
      }
    }
    if (notices.length === 0) print('no alert can be evaluated yet: no family has data points');
    let failed = 0;
    for (const target of own.alerts!.targets) {
      const ofTarget = notices.filter(({ name }) => isSentTo(own, name, target));
      if (ofTarget.length === 0) continue;
      const request = toRequest(target, ofTarget);
      print(`message to ${target.name} (${target.kind}): ${JSON.stringify(request.body)}`);
      if (!args.send) continue;
      const { ok, reason } = await postAlert(request, signal);
      print(ok ? `sent to ${target.name}` : `not delivered to ${target.name}: ${reason}`);
      if (!ok) failed++;
    }
    return failed === 0 ? 0 : 1;
  },
};

export const command = onStore(alertsTest, {
  usage: 'assay alerts test [NAME] [--send] [--config FILE]',
  details: [
    'Evaluates alerts now and prints which would fire, and the message that each target',
    'would get. --send also sends these messages, to check the targets. No state changes.',
    'Works while the server runs.',
  ].join(' '),
  examples: ['assay alerts test', 'assay alerts test price-fall --send'],
  flags: {
    config: CONFIG,
    send: { text: 'Also send the messages' },
  },
  argument: 'NAME',
  read: (flags: FlagValues, argument) => ({ name: argument ?? null, send: flags.has('send') }),
});

/** The configuration with one of its alerts, or all. */
function withOnly(config: Config, name: string | null): Config {
  const { targets, rules: all } = config.alerts ?? { targets: [], rules: [] };
  const rules = all.filter((rule) => name === null || rule.name === name);
  if (rules.length === 0) {
    throw new UsageError(`no alert ${JSON.stringify(name)} in ${config.file}`);
  }
  return { ...config, alerts: { targets, rules } };
}

async function loadFamilies(config: Config, db: Queryable): Promise<FamilyToWatch[]> {
  const ids = new Map((await families.getAll(db)).map(({ slug, familyId }) => [slug, familyId]));
  const registered = sourcesOf(config).flatMap((source) => {
    const familyId = source.kind === 'family' ? ids.get(source.family.slug) : undefined;
    return familyId === undefined ? [] : [{ source, familyId }];
  });
  return familiesToWatch(config, registered);
}

/** As if nothing had been evaluated before. */
async function measure(
  config: Config,
  db: Queryable,
  family: FamilyToWatch,
): Promise<AlertResult[]> {
  const ids = [family.familyId];
  const chainIds = config.chains.map(({ chainId }) => chainId);
  const [row] = await watchedSeries.getFamilies(db, ids, chainIds);
  if (row === undefined || row.newestTick === null) return [];
  const readings = {
    states: await watchedSeries.getClock(db, ids, 0),
    feedTimes: await watchedSeries.getFeedTimes(db, [family.family.priceFeed ?? ''], 0),
    grades: await watchedSeries.getGrades(db, [family.nodeId]),
    now: unixTime(),
  };
  return [
    ...(await evaluateSeries(db, family, row, [])),
    ...family.family.chains.flatMap(({ chainId }) => evaluateClock(family, chainId, [], readings)),
  ];
}

async function toNotice(
  config: Config,
  db: Queryable,
  { family }: FamilyToWatch,
  result: AlertResult & { readonly value: bigint },
): Promise<AlertNotice> {
  const { name, kind, chainId, value, bounds, evaluatedUntil: at } = result;
  const [vault] = await getVaultsOf(db, [family.slug]);
  return {
    ...{ name, kind, value, at, announcedAt: null, family: family.slug },
    chain: config.chains.find((chain) => chain.chainId === chainId)?.name ?? String(chainId),
    status: result.transitions.length > 0 ? 'fired' : 'cleared',
    bound: bounds.fired,
    asset:
      vault === undefined ? null : { decimals: vault.assetDecimals, symbol: vault.assetSymbol },
  };
}

function isSentTo({ alerts }: Config, name: string, target: AlertTargetConfig): boolean {
  return alerts!.rules.some((rule) => rule.name === name && rule.targets.includes(target.name));
}
