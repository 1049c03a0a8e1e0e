import type { Preset } from '../config/presets.ts';
import { parseCall } from '../config/rated/signature.ts';
import type { Address, Hex } from '../domain/hex.ts';
import { addressIn, ask, type Look } from '../vaults/recognize/readContract.ts';

export interface NamedPreset {
  readonly name: string;
  readonly read: Preset;
}

/** A contract of a preset, if the chain names it. */
export interface FoundRole {
  readonly role: string;
  /** Its description in the preset. */
  readonly is: string;
  /** Null: no contract names it. */
  readonly address: Address | null;
  /** The call that returned it. */
  readonly by: string | null;
}

/** A preset that describes a contract, with the contracts around it. */
export interface PresetMatch {
  readonly preset: NamedPreset;
  /** How it was recognized: by a call, or by the operator's choice. */
  readonly by: string;
  readonly roles: readonly FoundRole[];
}

/** Finds the presets whose every call succeeds at an address. `over`: the kind that the contract was recognized as. */
export async function findPresets(
  look: Look,
  address: Address,
  options: { readonly presets: readonly NamedPreset[]; readonly over: string | undefined },
): Promise<PresetMatch[]> {
  const found: PresetMatch[] = [];
  for (const preset of options.presets) {
    const { recognize } = preset.read;
    if (recognize === undefined || recognize.over !== options.over) continue;
    // Most contracts fail here: nothing else is read for them.
    const own = recognize.calls.filter(({ at }) => at === undefined);
    const known: Known = new Map([['vault', address]]);
    if (!(await allAnswer(look, own, known))) continue;
    const roles = await findRoles(look, address, preset);
    for (const { role, address: named } of roles) if (named !== null) known.set(role, named);
    const others = recognize.calls.filter(({ at }) => at !== undefined);
    if (!(await allAnswer(look, others, withShare(known, preset)))) continue;
    const names = own.map(({ call }) => call.split('(')[0]);
    found.push({ preset, by: `${names.join('(), ')}()`, roles });
  }
  return found;
}

/** Reads the contracts of a preset, each from one that is already known. */
export async function findRoles(
  look: Look,
  address: Address,
  { read }: NamedPreset,
): Promise<FoundRole[]> {
  const known: Known = new Map([['vault', address]]);
  const by = new Map<string, string>();
  const roles = Object.entries(read.contracts ?? {});
  let open = roles.filter(([, { call }]) => call !== undefined);
  for (let before = -1; open.length !== before; ) {
    before = open.length;
    const sources = withShare(known, { read });
    for (const [role, { call, from = 'share' }] of open) {
      const source = sources.get(from);
      if (source === undefined) continue;
      const [answer] = await ask(look, source, [parseCall(call!)!.encode([])]);
      const found = addressIn(answer);
      if (found === null) continue;
      known.set(role, found);
      by.set(role, `${call!.split('(')[0]}()${from === 'share' ? '' : ` of ${from}`}`);
    }
    open = open.filter(([role]) => !known.has(role));
  }
  return roles.map(([role, { is }]) => {
    return { role, is, address: known.get(role) ?? null, by: by.get(role) ?? null };
  });
}

/** Returns the share token: the address itself, unless the preset defines another; undefined if its role is unknown. */
export function shareOf(
  address: Address,
  { read }: Pick<NamedPreset, 'read'>,
  roles: readonly FoundRole[],
): Address | undefined {
  const { share } = read.rated;
  if (share === undefined || share === 'share' || share === 'vault') return address;
  return roles.find(({ role }) => role === share)?.address ?? undefined;
}

type Known = Map<string, Address>;

function withShare(known: Known, { read }: Pick<NamedPreset, 'read'>): Known {
  const share = known.get(read.rated.share ?? 'vault');
  return share === undefined ? known : new Map([...known, ['share', share]]);
}

type Calls = NonNullable<Preset['recognize']>['calls'];

async function allAnswer(look: Look, calls: Calls, known: Known): Promise<boolean> {
  for (const { at = 'vault', call, args = [], answers } of calls) {
    const to = known.get(at);
    const data = to && encode(call, args, known);
    if (to === undefined || data === undefined) return false;
    const [answer] = await ask(look, to, [data]);
    if (!answer || (answers !== undefined && addressIn(answer) !== known.get(answers))) {
      return false;
    }
  }
  return true;
}

function encode(call: string, args: readonly unknown[], known: Known): Hex | undefined {
  const { inputs, encode: encoded } = parseCall(call)!;
  const values = args.map((arg, i) =>
    inputs[i]!.type === 'address' ? known.get(String(arg)) : BigInt(String(arg)),
  );
  return values.includes(undefined) ? undefined : encoded(values);
}
