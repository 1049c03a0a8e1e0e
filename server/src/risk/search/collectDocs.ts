import type { SearchDoc } from '../../domain/risk/searchDoc.ts';
import { type CollectedNames, createNames, createTexts } from './collectTexts.ts';
import { createGrowingDoubles, createGrowingNumbers } from './growingNumbers.ts';
import { kindOf } from './kinds.ts';
import { createStringPacker, type PackedStrings } from './packedStrings.ts';
import { IN_ID, NONE } from './searchData.ts';
import { hashText, hashUnits, unitsOf } from './units.ts';

type Column = Uint32Array<ArrayBuffer>;

/** Columns of the nodes, in order of arrival. */
export interface CollectedDocs {
  readonly count: number;
  readonly ids: PackedStrings;
  readonly names: CollectedNames;
  readonly networks: PackedStrings;
  readonly addresses: PackedStrings;
  /** Determines the rank: the value, else the weight, else minus infinity. */
  readonly order: Float64Array<ArrayBuffer>;
  /** 1 if `order` has the value. */
  readonly valued: Column;
  readonly kind: Column;
  readonly network: Column;
  readonly name: Column;
  readonly symbol: Column;
  /** The address, or the key if there is none. */
  readonly address: Column;
  /** 1 if it is the key. */
  readonly keyed: Column;
  /** As unsigned numbers. The hash of an absent address is meaningless. */
  readonly idHash: Column;
  readonly addressHash: Column;
}

export interface DocCollector {
  /** Copies everything that is needed from a node, which can then be released. */
  add(doc: SearchDoc): void;
  finish(): CollectedDocs;
}

/** Reads each node once, in order of arrival, because random memory access is slow. */
export function createDocCollector(expected = 0): DocCollector {
  const ids = createStringPacker(expected, 64);
  const names = createNames(expected);
  const networks = createTexts();
  const addresses = createTexts();
  const order = createGrowingDoubles(expected);
  const valued = createGrowingNumbers(expected);
  const kind = createGrowingNumbers(expected);
  const network = createGrowingNumbers(expected);
  const name = createGrowingNumbers(expected);
  const symbol = createGrowingNumbers(expected);
  const address = createGrowingNumbers(expected);
  const keyed = createGrowingNumbers(expected);
  const idHash = createGrowingNumbers(expected);
  const addressHash = createGrowingNumbers(expected);

  function addAddress(id: string, idUnits: Uint16Array, given: string | undefined): void {
    const start = addressStart(id);
    if (given === undefined) {
      address.push(NONE);
      addressHash.push(0);
    } else if (id.length - start === given.length && id.endsWith(given)) {
      // In lower case, as in ids.
      address.push(IN_ID);
      addressHash.push(hashUnits(idUnits, start, id.length));
    } else {
      address.push(addresses.add(given));
      addressHash.push(hashText(given.toLowerCase()));
    }
  }

  return {
    add(doc) {
      const units = unitsOf(doc.id);
      ids.add(doc.id, units);
      idHash.push(hashUnits(units, 0, doc.id.length));
      addAddress(doc.id, units, doc.address ?? doc.uniqueKey);
      keyed.push(doc.address === undefined ? 1 : 0);
      order.push(isNumber(doc.value) ? doc.value : isNumber(doc.weight) ? doc.weight : NOTHING);
      valued.push(isNumber(doc.value) ? 1 : 0);
      kind.push(kindOf(doc.label, doc.grade));
      network.push(networks.add(doc.network));
      name.push(names.add(doc.name));
      symbol.push(doc.symbol === undefined ? NONE : names.add(doc.symbol));
    },
    finish: () => ({
      count: order.length,
      ids: ids.strings,
      names: names.finish(),
      networks: networks.finish(),
      addresses: addresses.finish(),
      order: order.view(),
      valued: valued.view(),
      kind: kind.view(),
      network: network.view(),
      name: name.view(),
      symbol: symbol.view(),
      address: address.view(),
      keyed: keyed.view(),
      idHash: idHash.view(),
      addressHash: addressHash.view(),
    }),
  };
}

/** The part after `label:chain:`. */
export function addressInId(id: string): string {
  return id.slice(addressStart(id));
}

function addressStart(id: string): number {
  return id.indexOf(':', id.indexOf(':') + 1) + 1;
}

const NOTHING = Number.NEGATIVE_INFINITY;

/** A value that is not a number counts as unknown. */
function isNumber(figure: number | null | undefined): figure is number {
  return Number.isFinite(figure);
}
