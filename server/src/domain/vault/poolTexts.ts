import type { Address } from '../hex.ts';

interface Describing<Text> {
  readonly slug: string;
  readonly address: Address;
  readonly feederOf: string | null;
  readonly bindingDeclarationAddress: Address;
  readonly pools: readonly Text[];
}

/** The families by what refers to them: thousands of families ask for their texts one after the other. */
interface Described<Text> {
  readonly bySlug: ReadonlyMap<string, Describing<Text>>;
  readonly byAddress: ReadonlyMap<Address, readonly Describing<Text>[]>;
  readonly byDeclaration: ReadonlyMap<Address, readonly Describing<Text>[]>;
}

const described = new WeakMap<object, Described<unknown>>();

/**
 * Returns the descriptions of this family's pools. In order of precedence: its own, those of the family that declares
 * its pools, of its masters, and of other families with the same declarations.
 */
export function poolTextsOf<Text>(
  families: readonly Describing<Text>[],
  family: Describing<Text>,
): Text[] {
  const { bindingDeclarationAddress } = family;
  const { bySlug, byAddress, byDeclaration } = describedIn(families);
  const declaring = byAddress.get(bindingDeclarationAddress) ?? [];
  const alike = byDeclaration.get(bindingDeclarationAddress) ?? [];
  const order = new Set([family, ...declaring, ...mastersOf(bySlug, family), ...alike]);
  return [...order].flatMap(({ pools }) => pools);
}

function describedIn<Text>(families: readonly Describing<Text>[]): Described<Text> {
  const known = described.get(families) as Described<Text> | undefined;
  if (known !== undefined) return known;
  const found = {
    bySlug: new Map(families.map((family) => [family.slug, family])),
    byAddress: groupBy(families, ({ address }) => address),
    byDeclaration: groupBy(families, (family) => family.bindingDeclarationAddress),
  };
  described.set(families, found);
  return found;
}

function groupBy<T, Key>(
  all: readonly T[],
  keyOf: (one: T) => Key,
): ReadonlyMap<Key, readonly T[]> {
  const groups = new Map<Key, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [one]);
    else known.push(one);
  }
  return groups;
}

function mastersOf<Text>(
  bySlug: Described<Text>['bySlug'],
  family: Describing<Text>,
): Describing<Text>[] {
  const masters: Describing<Text>[] = [];
  for (let at = family; ; at = masters.at(-1)!) {
    const master = at.feederOf === null ? undefined : bySlug.get(at.feederOf);
    if (master === undefined) return masters;
    masters.push(master);
  }
}
