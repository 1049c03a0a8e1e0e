import type { JsonObject } from '@assay/client';
import { usdText } from '../../terminal/figures.ts';
import type { Screen } from '../../terminal/screen.ts';
import { plain } from '../../terminal/text.ts';

/** A node by its name and id. */
export function headOf(
  { id, properties }: { readonly id: string; readonly properties: JsonObject },
  { style }: Pick<Screen, 'style'>,
): string {
  const { name } = properties;
  return typeof name === 'string' && name !== ''
    ? `${style.bold(plain(name))} (${plain(id)})`
    : style.bold(plain(id));
}

/** Facts as people read them; the JSON has them as they are. */
export function propertyRows(properties: JsonObject): [string, string][] {
  return Object.entries(properties).map(([name, value]) => [
    name,
    // A number may be an id as well: only of money it is known that its digits are counted.
    typeof value === 'number' && name.endsWith('Usd') ? usdText(value) : valueText(value),
  ]);
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.join(', ');
  return JSON.stringify(value);
}
