import { cleanText } from '../format/text.ts';

/** Lists all known facts, unchanged. */
export function Properties({
  properties,
}: {
  readonly properties: Readonly<Record<string, unknown>>;
}) {
  const facts = Object.entries(properties);
  if (facts.length === 0) return null;
  return (
    <details class="behind">
      <summary>All {facts.length} facts</summary>
      <table class="plain facts">
        <caption class="sr">Facts</caption>
        <tbody>
          {facts.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{cleanText(name, 64)}</th>
              <td>{cleanText(typeof value === 'string' ? value : JSON.stringify(value), 400)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
