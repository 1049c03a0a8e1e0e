/** A path that cannot be read, or that leads to nothing in a value. */
export class PathError extends Error {
  override readonly name = 'PathError';
}

/** A member, an element counted from either end, or each element or member. */
type Step =
  | { readonly name: string; readonly optional: boolean }
  | { readonly index: number }
  | 'each';
export type Path = readonly Step[];

const STEP =
  /\.?\[(?<index>-?\d{1,9})\]|\.?\["(?<quoted>[^"]*)"\](?<quotedMark>\??)|(?<each>\.?\[\])|\.(?<name>[A-Za-z_$][\w$]*)(?<mark>\??)/y;
const MAX_NAMES = 12;

/** Reads a path as jq writes it: `.`, `.name`, `["name"]`, `[0]`, `[-1]`, `[]`, and `?` after a name that may be missing. */
export function parsePath(text: string): Path {
  if (text === '.') return [];
  const steps: Step[] = [];
  STEP.lastIndex = 0;
  for (let at = 0; at < text.length || at === 0; at = STEP.lastIndex) {
    const found = STEP.exec(text)?.groups;
    if (found === undefined) throw unreadable(text, at);
    steps.push(stepOf(found));
  }
  return steps;
}

function stepOf({
  index,
  quoted,
  quotedMark,
  each,
  name,
  mark,
}: Record<string, string | undefined>): Step {
  if (index !== undefined) return { index: Number(index) };
  if (each !== undefined) return 'each';
  return { name: name ?? quoted ?? '', optional: (mark ?? quotedMark) === '?' };
}

function unreadable(text: string, at: number): PathError {
  const rest = text.slice(at);
  const where = rest === text ? '' : ` from ${JSON.stringify(rest)} on`;
  return new PathError(
    `the path ${JSON.stringify(text)} cannot be read${where}; write it as in .vaults[0].slug, with [] for each element`,
  );
}

/** The values that a path leads to; an element beyond the end is null, and so is everything below null. */
export function selectValues(value: unknown, path: Path): unknown[] {
  return follow(value, path, '');
}

function follow(value: unknown, [step, ...rest]: Path, here: string): unknown[] {
  if (step === undefined) return [value];
  if (value === null) return step === 'each' ? [] : follow(null, rest, here);
  if (step === 'each') {
    if (typeof value !== 'object') throw misfit('[]', value, here);
    const entries = Array.isArray(value)
      ? value.map((one, i) => [`[${i}]`, one] as const)
      : Object.entries(value).map(([name, one]) => [`.${name}`, one] as const);
    return entries.flatMap(([name, one]) => follow(one, rest, here + name));
  }
  if ('index' in step) {
    if (!Array.isArray(value)) throw misfit(`[${step.index}]`, value, here);
    return follow(value.at(step.index) ?? null, rest, `${here}[${step.index}]`);
  }
  const { name, optional } = step;
  if (typeof value !== 'object' || Array.isArray(value)) throw misfit(`.${name}`, value, here);
  if (Object.hasOwn(value, name))
    return follow((value as Record<string, unknown>)[name] ?? null, rest, `${here}.${name}`);
  if (optional) return follow(null, rest, `${here}.${name}`);
  const names = Object.keys(value);
  const known = names.slice(0, MAX_NAMES).join(', ') + (names.length > MAX_NAMES ? ', …' : '');
  throw new PathError(
    `${placeOf(here)} has no ${name}; ${names.length === 0 ? 'it is empty' : `it has ${known}`}`,
  );
}

function misfit(step: string, value: unknown, here: string): PathError {
  const kind = Array.isArray(value)
    ? 'a list'
    : typeof value === 'object'
      ? 'an object'
      : `a ${typeof value}`;
  const hint = Array.isArray(value) ? '; add [] for each element, or [0]' : '';
  return new PathError(`${placeOf(here)} is ${kind}, so it has no ${step}${hint}`);
}

function placeOf(here: string): string {
  return here === '' ? 'the response' : here;
}
