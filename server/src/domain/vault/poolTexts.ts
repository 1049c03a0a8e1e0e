import type { Address } from '../hex.ts';

interface Describing<Text> {
  readonly slug: string;
  readonly address: Address;
  readonly feederOf: string | null;
  readonly bindingDeclarationAddress: Address;
  readonly pools: readonly Text[];
}

/**
 * Returns the descriptions of this family's pools. In order of precedence: its own, those of the family that declares
 * its pools, of its masters, and of other families with the same declarations.
 */
export function poolTextsOf<Text>(
  families: readonly Describing<Text>[],
  family: Describing<Text>,
): Text[] {
  const { bindingDeclarationAddress } = family;
  const declaring = families.filter(({ address }) => address === bindingDeclarationAddress);
  const alike = families.filter(
    (other) => other.bindingDeclarationAddress === bindingDeclarationAddress,
  );
  const order = new Set([family, ...declaring, ...mastersOf(families, family), ...alike]);
  return [...order].flatMap(({ pools }) => pools);
}

function mastersOf<Text>(
  families: readonly Describing<Text>[],
  family: Describing<Text>,
): Describing<Text>[] {
  const masters: Describing<Text>[] = [];
  for (let at = family; ; at = masters.at(-1)!) {
    const master = families.find(({ slug }) => slug === at.feederOf);
    if (master === undefined) return masters;
    masters.push(master);
  }
}
