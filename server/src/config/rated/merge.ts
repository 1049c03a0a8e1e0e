import type { Static } from 'typebox';
import type { presetSchema, ratedSchema } from './schema.ts';

export type RatedFile = Static<typeof ratedSchema>;
export type RatedParts = Static<typeof presetSchema>['rated'];

/** Merges a preset with the chain's description in the file: by key, and lists as a whole. */
export function mergeRated(preset: RatedParts, own: RatedFile): RatedParts {
  const { contracts: _, ...given } = own;
  return {
    ...preset,
    ...given,
    ...both('ledger', preset.ledger, given.ledger),
    ...both('queue', preset.queue, given.queue),
    ...both('rate', withoutOther(preset.rate, given.rate, RATES), given.rate),
    ...both('unit', withoutOther(preset.unit, given.unit, UNITS), given.unit),
  };
}

/** The keys that belong to one way of defining a rate or a unit: another way does not use them. */
const RATES = {
  call: ['contract', 'call', 'args', 'answer', 'decimals', 'updatedAt', 'bad', 'paused'],
  feed: ['feed'],
  fixed: ['fixed'],
};
const UNITS = { token: ['token'], currency: ['currency', 'decimals'] };

function withoutOther<Part extends object>(
  preset: Part | undefined,
  own: Part | undefined,
  ways: Readonly<Record<string, readonly string[]>>,
): Part | undefined {
  const chosen = Object.keys(ways).find((way) => own !== undefined && way in own);
  if (chosen === undefined || preset === undefined || chosen in preset) return preset;
  const foreign = new Set(Object.values(ways).flat());
  for (const key of ways[chosen]!) foreign.delete(key);
  return Object.fromEntries(Object.entries(preset).filter(([key]) => !foreign.has(key))) as Part;
}

function both<Key extends string, Part extends object>(
  key: Key,
  preset: Part | undefined,
  own: Part | undefined,
): Partial<Record<Key, Part>> {
  if (preset === undefined && own === undefined) return {};
  return { [key]: { ...preset, ...own } } as Record<Key, Part>;
}
