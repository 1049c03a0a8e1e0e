import type { Decimal } from '../domain/amount.ts';
import { parseBound, parseSeconds, REQUIRED } from './alertBounds.ts';
import { ALERT_DEFAULTS, type AlertsFile } from './alertsSchema.ts';
import type { AlertRuleConfig, AlertsConfig, AlertTargetConfig } from './config.ts';

type RuleFile = AlertsFile['rules'][number];
type TargetFile = NonNullable<AlertsFile['targets']>[string];

/** How far inside its band an APY must be for an alert to clear: 0.25%. */
const BAND_CLEAR = 2_500n;

/** findAlertProblems has accepted every value. */
export function toAlerts(read: AlertsFile, slugs: readonly string[]): AlertsConfig {
  const targets = Object.entries(read.targets ?? {}).map(([name, target]) =>
    toTarget(name, target),
  );
  const names = targets.map(({ name }) => name);
  return { targets, rules: read.rules.map((rule) => toRule(rule, slugs, names)) };
}

function toTarget(name: string, read: TargetFile): AlertTargetConfig {
  const { slack, discord, telegram, chat, allowPrivate = false } = read;
  if (slack !== undefined) return { name, kind: 'slack', url: slack, allowPrivate };
  if (discord !== undefined) return { name, kind: 'discord', url: discord, allowPrivate };
  return { name, kind: 'telegram', token: telegram!, chat: chat! };
}

function toRule(
  read: RuleFile,
  slugs: readonly string[],
  targets: readonly string[],
): AlertRuleConfig {
  const { name, kind } = read;
  const within = kind === 'grade-changed' ? ALERT_DEFAULTS.gradeWithin : ALERT_DEFAULTS.within;
  return {
    name,
    kind,
    ...boundsOf(read),
    families: read.families ?? slugs,
    targets: read.targets ?? targets,
    within: parseSeconds(read.within ?? within)!,
    silence: parseSeconds(read.silence ?? ALERT_DEFAULTS.silence)!,
  };
}

function boundsOf({ kind, by, above, below, clear }: RuleFile) {
  const parse = (value: unknown) => parseBound(kind, value)?.value ?? null;
  if (kind === 'apy-outside') {
    // Measured as the distance outside the band, which is negative inside.
    const inside = clear === undefined ? BAND_CLEAR : parse(clear)!;
    return {
      fire: { value: 1n, decimals: 0 },
      clear: { value: -inside, decimals: 0 },
      band: { low: parse(below), high: parse(above) },
    };
  }
  const required = REQUIRED[kind];
  if (required === undefined) return { fire: ONE, clear: ZERO };
  const fire = parseBound(kind, required === 'by' ? by : above)!;
  return { fire, clear: clear === undefined ? halfOf(fire) : parseBound(kind, clear)! };
}

const ONE: Decimal = { value: 1n, decimals: 0 };
const ZERO: Decimal = { value: 0n, decimals: 0 };

/** Rounded down, so that it is below the bound. */
function halfOf({ value, decimals }: Decimal): Decimal {
  return { value: (value * 10n) / 2n, decimals: decimals + 1 };
}
