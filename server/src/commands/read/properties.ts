import type { JsonObject } from '@assay/client';
import { usdText } from '../../terminal/formatNumber.ts';
import type { Screen } from '../../terminal/screen.ts';
import { plain } from '../../terminal/text.ts';

/** Prints a node's name and id. */
export function headOf(
  { id, properties }: { readonly id: string; readonly properties: JsonObject },
  { style }: Pick<Screen, 'style'>,
): string {
  const { name } = properties;
  return typeof name === 'string' && name !== ''
    ? `${style.bold(plain(name))} (${plain(id)})`
    : style.bold(plain(id));
}

/** Formats facts for people; the JSON has the raw values. */
export function propertyRows(properties: JsonObject): [string, string][] {
  return Object.entries(properties).map(([name, value]) => [
    name,
    // A number may be an id: only amounts of money get digit grouping.
    typeof value === 'number' && name.endsWith('Usd') ? usdText(value) : valueText(value),
  ]);
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.join(', ');
  return JSON.stringify(value);
}
