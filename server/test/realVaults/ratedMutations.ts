import type { Preset } from '../../src/config/presets.ts';
import { type Field, parseEvent } from '../../src/config/rated/signature.ts';

type Parts = Preset['rated'];
type Flow = NonNullable<Parts['flows']>[number];

/** A description with one mistake. */
export interface Mutation {
  readonly name: string;
  /** The wrong part of the description; the finding must name a part that starts with it. */
  readonly key: string;
  readonly rated: Parts;
}

type Change = readonly [name: string, key: string, changed: Partial<Parts> | null];

/** Returns every mistake of the table that applies to a description. `roles`: the roles whose contracts exist. */
export function mutationsOf({ rated }: Preset, roles: ReadonlySet<string>): Mutation[] {
  const flows = rated.flows ?? [];
  const changes: Change[] = [
    ...rateChanges(rated),
    ...ledgerChanges(rated),
    ['no custody', 'custody', rated.custody ? { custody: [] } : null],
    ...flows.flatMap((flow, i) =>
      (roles.has(flow.contract ?? 'share') ? flowChanges(flow) : []).map(
        ([name, key, changed]): Change => {
          const list = changed && flows.map((one, j) => (i === j ? (changed as Flow) : one));
          return [
            `${name} of ${flow.event.split('(')[0]}`,
            `flows[${i}]${key}`,
            list && { flows: list },
          ];
        },
      ),
    ),
  ];
  return changes.flatMap(([name, key, changed]) =>
    changed === null ? [] : [{ name, key, rated: { ...rated, ...changed } }],
  );
}

function rateChanges({ rate, unit }: Parts): Change[] {
  const { decimals, call, updatedAt } = rate ?? {};
  const other = decimals === 'unit' ? 24 : decimals === 18 ? 8 : 18;
  return [
    ['wrong decimals of the rate', 'rate', { rate: { ...rate, decimals: other } }],
    [
      'one digit less of the rate',
      'rate',
      typeof decimals === 'number' ? { rate: { ...rate, decimals: decimals - 1 } } : null,
    ],
    ['the inverse rate', 'rate', { rate: { ...rate, inverse: true } }],
    [
      'another call for the rate',
      'rate',
      call ? { rate: { ...rate, call: call.replace(/^\w+/, 'rateThatIsNotThere') } } : null,
    ],
    [
      'the time as the rate',
      'rate',
      updatedAt === undefined ? null : { rate: { ...rate, answer: updatedAt } },
    ],
    [
      'wrong decimals of the unit',
      'rate',
      unit?.decimals ? { unit: { ...unit, decimals: unit.decimals === 18 ? 6 : 18 } } : null,
    ],
  ];
}

function ledgerChanges({ ledger }: Parts): Change[] {
  if (ledger?.event === undefined) return [];
  const event = 'Transfer(address indexed from, address indexed to, uint256 shares)';
  const supply = 'totalSupply() returns (uint256)';
  const balance = 'balanceOf(address account) returns (uint256)';
  return [
    ['Transfer as the ledger', 'ledger', { ledger: { ...ledger, event } }],
    ['totalSupply() as the shares', 'ledger', { ledger: { ...ledger, supply } }],
    ['balanceOf() as the shares', 'ledger', { ledger: { ...ledger, balance } }],
  ];
}

function flowChanges(flow: Flow): [string, string, Flow | null][] {
  const { fields } = parseEvent(flow.event)!;
  const { shares, assets, owner, receiver, id, idFrom, idTo, asset, event } = flow;
  const another = (type: RegExp, ...but: (string | undefined)[]): Field | undefined =>
    fields.find((one) => type.test(one.type) && !but.includes(one.name));
  const number = another(/^uint256$/, id, idFrom);
  const account = another(/^address$/, owner ?? receiver, asset);
  const holder = owner === undefined ? 'receiver' : 'owner';
  return [
    [
      'shares and assets swapped',
      '',
      shares && assets ? { ...flow, shares: assets, assets: shares } : null,
    ],
    [
      'another number as shares',
      '.shares',
      shares && number && number.name !== shares ? { ...flow, shares: number.name } : null,
    ],
    [
      'another holder',
      `.${holder}`,
      flow[holder] && account ? { ...flow, [holder]: account.name } : null,
    ],
    ['another number', '.id', id && number ? { ...flow, id: number.name } : null],
    ['range swapped', '.idFrom', idFrom && idTo ? { ...flow, idFrom: idTo, idTo: idFrom } : null],
    [
      'another asset',
      '.asset',
      asset && (owner ?? receiver) ? { ...flow, asset: (owner ?? receiver)! } : null,
    ],
    ['another event', '.event', { ...flow, event: `Not${event}` }],
    [
      'a field indexed wrongly',
      '.event',
      event.includes(' indexed') ? { ...flow, event: event.replace(' indexed', '') } : null,
    ],
  ];
}
