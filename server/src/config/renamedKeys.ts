import type { ConfigDocument } from './document.ts';
import { type ConfigProblem, joinPath, parentPath } from './problem.ts';
import { isObject } from './shape.ts';

interface RenamedKey {
  /** The former path; keys are separated by dots. */
  readonly from: string;
  /** The key that replaces its last part. */
  readonly to: string;
  /** Converts a value of the former key. */
  convert?(value: unknown): unknown;
}

/** Former keys are accepted until the next minor release. */
const RENAMED: readonly RenamedKey[] = [
  { from: 'previousApi', to: 'legacyApi' },
  { from: 'payments.keepAnswersHours', to: 'responseRetentionHours' },
  {
    from: 'payments.escalation.off',
    to: 'enabled',
    convert: (off) => (typeof off === 'boolean' ? !off : off),
  },
  {
    from: 'payments.escalation.after',
    to: 'firstStepCalls',
    // It named a tenth of the calls after which the price rises.
    convert: (calls) => (isDigits(calls) ? Number(calls) * 10 : calls),
  },
  { from: 'payments.escalation.most', to: 'maxFactor' },
  { from: 'payments.gas.priceShare', to: 'maxCostRatio' },
  { from: 'payments.gas.lostPerHour', to: 'maxFailedGasPerHour' },
];

export interface Renamed {
  readonly document: ConfigDocument;
  /** One warning per former key in the file. */
  readonly warnings: readonly string[];
}

/** Replaces former keys in the document by their new names, which still lead to the lines of the former ones. */
export function renameKeys(document: ConfigDocument): Renamed {
  const problems: ConfigProblem[] = [...document.problems];
  const warnings: string[] = [];
  const former = new Map<string, string>();
  for (const { from, to, convert = (value: unknown) => value } of RENAMED) {
    const parent = parentPath(from);
    const key = from.slice(parent === '' ? 0 : parent.length + 1);
    const object = findObject(document.value, parent);
    if (object === undefined || !Object.hasOwn(object, key)) continue;
    const path = joinPath(parent, to);
    if (Object.hasOwn(object, to)) {
      const message = `is the former name of ${path}, which is set too; remove this key`;
      problems.push({ ...document.placeOf(from), message });
      continue;
    }
    object[to] = convert(object[key]);
    delete object[key];
    former.set(path, from);
    warnings.push(`${from} is deprecated and will be removed; rename it to ${path}`);
  }
  const formerOf = (path: string) => {
    for (let at = path; at !== ''; at = parentPath(at)) {
      const from = former.get(at);
      if (from !== undefined) return from + path.slice(at.length);
    }
    return path;
  };
  return {
    document: {
      value: document.value,
      placeOf: (path) => document.placeOf(formerOf(path)),
      isFromEnvironment: (path) => document.isFromEnvironment(formerOf(path)),
      problems,
    },
    warnings,
  };
}

function findObject(value: unknown, path: string): Record<string, unknown> | undefined {
  let found = value;
  for (const key of path === '' ? [] : path.split('.')) {
    found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return isObject(found) ? found : undefined;
}

/** A number from the environment is text. */
function isDigits(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
}
