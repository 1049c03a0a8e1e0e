import { groupBy } from '../groupBy.ts';
import type { Address } from '../hex.ts';

interface Describing<Text> {
  readonly slug: string;
  readonly address: Address;
  readonly feederOf: string | null;
  readonly bindingDeclarationAddress: Address;
  readonly pools: readonly Text[];
}

/**
 * Returns a function for the descriptions of a family's pools. In order of precedence: its own, those of the family that
 * declares its pools, of its masters, and of other families with the same declarations. Thousands of families share one
 * index.
 */
export function poolTextsOf<Text>(
  families: readonly Describing<Text>[],
): (family: Describing<Text>) => Text[] {
  const bySlug = new Map(families.map((family) => [family.slug, family]));
  const byAddress = groupBy(families, ({ address }) => address);
  const byDeclaration = groupBy(families, (family) => family.bindingDeclarationAddress);
  return (family) => {
    const declaring = byAddress.get(family.bindingDeclarationAddress) ?? [];
    const alike = byDeclaration.get(family.bindingDeclarationAddress) ?? [];
    const order = new Set([family, ...declaring, ...mastersOf(bySlug, family), ...alike]);
    return [...order].flatMap(({ pools }) => pools);
  };
}

function mastersOf<Text>(
  bySlug: ReadonlyMap<string, Describing<Text>>,
  family: Describing<Text>,
): Describing<Text>[] {
  const masters: Describing<Text>[] = [];
  for (let at = family; ; at = masters.at(-1)!) {
    const master = at.feederOf === null ? undefined : bySlug.get(at.feederOf);
    if (master === undefined) return masters;
    masters.push(master);
  }
}
