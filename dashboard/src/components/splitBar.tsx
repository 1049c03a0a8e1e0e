import { percent } from '../format/amount.ts';

/** Shows the parts of a total in one bar, with a legend below it. */
export function SplitBar({
  label,
  parts,
}: {
  readonly label: string;
  readonly parts: readonly { readonly name: string; readonly part: number }[];
}) {
  return (
    <figure class="split" aria-label={label}>
      <div class="track" aria-hidden="true">
        {parts.map(({ name, part }, index) => (
          <i key={name} class={`series-${index + 1}`} style={{ inlineSize: `${part * 100}%` }} />
        ))}
      </div>
      <figcaption>
        {parts.map(({ name, part }, index) => (
          <span key={name} class={`key series-${index + 1}`}>
            {name} <b>{percent(part, 1)}</b>
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
