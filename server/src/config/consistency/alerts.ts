import { ALERT_KINDS, type AlertKind } from '../../domain/alerts/rule.ts';
import { isLoopbackHost } from '../../domain/loopback.ts';
import {
  boundExample,
  compareDecimals,
  hasWindow,
  parseBound,
  parseSeconds,
  REQUIRED,
} from '../alertBounds.ts';
import { joinPath } from '../problem.ts';
import { isObject } from '../shape.ts';
import { entries, objectAt } from './entries.ts';
import type { Review } from './review.ts';

const SERVICES = ['slack', 'discord', 'telegram'] as const;

/** Checks alerts beyond their shape: the keys of each kind, bounds, names, and secrets. Skips malformed values. */
export function checkAlerts({ file, document, slugs, fail, checkUnique, checkName }: Review): void {
  const alerts = objectAt(file, 'alerts');
  checkUnique(entries(alerts, 'rules', 'alerts'), 'name', 'name');
  const targets = objectAt(alerts, 'targets');
  for (const [name, target] of Object.entries(targets)) {
    if (isObject(target)) checkTarget(target, joinPath('alerts.targets', name));
  }
  const rules = Array.isArray(alerts.rules) ? alerts.rules : [];
  rules.forEach((rule: unknown, index) => {
    if (isObject(rule)) checkRule(rule, joinPath('alerts.rules', index));
  });

  function checkTarget(target: Record<string, unknown>, path: string): void {
    const given = SERVICES.filter((service) => target[service] !== undefined);
    if (given.length !== 1) {
      fail(path, `must have exactly one of ${SERVICES.join(', ')}`);
      return;
    }
    const [service] = given;
    const secret = joinPath(path, service!);
    if (!document.isFromEnvironment(secret)) {
      fail(secret, `is a secret; write an environment reference such as \${ALERT_SECRET}`);
    } else if (service !== 'telegram' && isPlainHttp(target[service!])) {
      fail(secret, 'must start with https://, because messages would be readable on the way');
    }
    if (service === 'telegram' && target.allowPrivate !== undefined) {
      fail(joinPath(path, 'allowPrivate'), 'has no effect on telegram; remove it');
    }
    if ((service === 'telegram') !== (target.chat !== undefined)) {
      const fix = service === 'telegram' ? 'is missing; add the chat' : 'belongs to telegram';
      fail(joinPath(path, 'chat'), fix);
    }
  }

  function checkRule(rule: Record<string, unknown>, path: string): void {
    checkNames(rule.families, slugs, joinPath(path, 'families'), 'family');
    checkNames(rule.targets, Object.keys(targets), joinPath(path, 'targets'), 'target');
    const kind = ALERT_KINDS.find((one) => one === rule.kind);
    if (kind === undefined) return;
    checkKeys(kind, rule, path);
    checkBounds(kind, rule, path);
    if (rule.within !== undefined && parseSeconds(rule.within) === 0) {
      fail(joinPath(path, 'within'), 'must be a time above 0');
    }
  }

  function checkKeys(kind: AlertKind, rule: Record<string, unknown>, path: string): void {
    const required = REQUIRED[kind];
    if (required !== undefined && rule[required] === undefined) {
      fail(joinPath(path, required), `is missing; ${kind} needs it`);
    }
    const isBand = kind === 'apy-outside';
    if (isBand && rule.above === undefined && rule.below === undefined) {
      fail(path, 'needs above, below, or both');
    }
    const own = isBand ? ['above', 'below', 'clear'] : required ? [required, 'clear'] : [];
    if (hasWindow(kind)) own.push('within');
    for (const key of ['by', 'above', 'below', 'clear', 'within']) {
      if (rule[key] !== undefined && !own.includes(key)) {
        fail(joinPath(path, key), `has no effect on ${kind}; remove it`);
      }
    }
  }

  function checkBounds(kind: AlertKind, rule: Record<string, unknown>, path: string): void {
    const parsed = (key: string) => {
      if (rule[key] === undefined) return undefined;
      const bound = parseBound(kind, rule[key]);
      // The schema reports what has none of the forms.
      const hasForm = key === 'above' || key === 'clear' ? /^[0-9]/.test(String(rule[key])) : false;
      if (bound === undefined && hasForm)
        fail(joinPath(path, key), `must be ${boundExample(kind)}`);
      return bound;
    };
    if (kind === 'apy-outside') {
      const [below, above] = [parsed('below'), parsed('above')];
      parsed('clear');
      if (below !== undefined && above !== undefined && compareDecimals(below, above) >= 0) {
        fail(joinPath(path, 'below'), 'must be less than above');
      }
      return;
    }
    const required = REQUIRED[kind];
    if (required === undefined) return;
    const [fire, clear] = [parsed(required), parsed('clear')];
    if (fire?.value === 0n) fail(joinPath(path, required), 'must be above 0');
    else if (fire !== undefined && clear !== undefined && compareDecimals(clear, fire) >= 0) {
      fail(joinPath(path, 'clear'), `must be less than ${required}`);
    }
  }

  function checkNames(names: unknown, known: readonly string[], path: string, what: string): void {
    if (!Array.isArray(names)) return;
    names.forEach((name: unknown, index) => {
      checkName(name, known, joinPath(path, index), what);
    });
  }
}

/** A receiver on this machine can be without TLS. */
function isPlainHttp(url: unknown): boolean {
  if (typeof url !== 'string' || !url.startsWith('http://')) return false;
  return !URL.canParse(url) || !isLoopbackHost(new URL(url).hostname);
}
