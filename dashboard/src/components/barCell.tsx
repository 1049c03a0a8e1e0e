import { percent } from '../format/amount.ts';

/** Shows a fraction as a percentage with a bar. */
export function BarCell({ part }: { readonly part: number }) {
  return (
    <span class="barcell">
      <span aria-hidden="true">
        <i style={{ inlineSize: `${Math.min(100, part * 100)}%` }} />
      </span>
      <data value={String(part)}>{percent(part, 2)}</data>
    </span>
  );
}
