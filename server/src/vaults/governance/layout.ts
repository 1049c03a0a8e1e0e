import { type AbiEvent, decodeAbiParameters, parseAbiItem, toEventSelector } from 'viem';
import type { RawLog } from '../../chain/chainClient.ts';
import type { ChangeKind } from '../../domain/governance/change.ts';
import type { Address, Hex } from '../../domain/hex.ts';

/** An event of the table, ready to be compared with logs. */
export interface ChangeLayout {
  readonly kind: ChangeKind;
  readonly event: string;
  readonly topic: Hex;
  /** Number of topics of such a log, including the first. */
  readonly topics: number;
  /** Reads the fields of a log; null if it only has the topic of this event. */
  read(log: RawLog): ChangeFields | null;
}

/** The fields of a log by their role. */
export interface ChangeFields {
  readonly subject: string | null;
  readonly oldValue: string | null;
  readonly newValue: string | null;
  readonly at: number | null;
  readonly delay: number | null;
  /** The contract that the event is about, if it names one, in lower case. */
  readonly of: Address | null;
}

/** A hostile contract can emit megabytes. */
const MAX_LENGTH = 4_096;
/** Later times are no dates: `type(uint256).max` means never. */
const MAX_SECONDS = 2n ** 40n;

/** The signature is parsed when its first log is read: parsing all of them would delay the start. */
export function layoutOf(kind: ChangeKind, signature: string): ChangeLayout {
  const text = `event ${signature.trim().replace(/^event\s+/, '')}`;
  let item: AbiEvent | undefined;
  return {
    kind,
    event: /^event (\w+)/.exec(text)![1]!,
    topic: toEventSelector(text),
    topics: 1 + (text.match(/\bindexed\b/g)?.length ?? 0),
    read(log) {
      item ??= parseAbiItem<string>(text) as AbiEvent;
      return readFields(item, log, kind === 'other');
    },
  };
}

/** `open`: an event that only the file names has fields of any name; all of them are its new value. */
function readFields(item: AbiEvent, log: RawLog, open: boolean): ChangeFields | null {
  const values = valuesOf(item, log);
  if (values === null) return null;
  const fields = item.inputs.map(({ name = '' }, i) => {
    return { role: name.replace(/\d+$/, ''), value: values[i] };
  });
  const text = (role: string) => textOf(fields.filter((field) => field.role === role));
  const seconds = (role: string) => secondsIn(fields.find((field) => field.role === role)?.value);
  const [subject, oldValue, newValue] = [text('subject'), text('oldValue'), text('newValue')];
  const unnamed = open && subject === null && oldValue === null && newValue === null;
  const contract = fields.find(({ role }) => role === 'vault' || role === 'target')?.value;
  return {
    subject,
    oldValue,
    newValue: unnamed ? textOf(fields) : newValue,
    at: seconds('at'),
    delay: seconds('delay'),
    of: typeof contract === 'string' ? (contract.toLowerCase() as Address) : null,
  };
}

function valuesOf({ inputs }: AbiEvent, { topics, data }: RawLog): unknown[] | null {
  try {
    const plain = inputs.filter(({ indexed }) => indexed !== true);
    // viem rejects empty data.
    const inData = plain.length === 0 ? [] : [...decodeAbiParameters(plain, data)];
    let topic = 1;
    return inputs.map((input) => {
      if (input.indexed !== true) return inData.shift();
      const word = topics[topic++]!;
      // A value that does not fit a topic is only present as its hash.
      const isHash = /^(string|bytes|tuple)$|\]$/.test(input.type);
      return isHash ? word : decodeAbiParameters([{ ...input, name: '' }], word)[0];
    });
  } catch {
    return null;
  }
}

function textOf(fields: readonly { readonly value: unknown }[]): string | null {
  if (fields.length === 0) return null;
  const text = fields.map(({ value }) => valueText(value)).join(',');
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`;
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(',');
  if (typeof value === 'object' && value !== null) return valueText(Object.values(value));
  return String(value);
}

function secondsIn(value: unknown): number | null {
  if (typeof value !== 'bigint' && typeof value !== 'number') return null;
  return BigInt(value) > MAX_SECONDS ? null : Number(value);
}
