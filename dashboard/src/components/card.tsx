import type { ComponentChildren } from 'preact';
import { Age } from './values.tsx';

/** A page section with a heading. */
export function Card({
  title,
  children,
  aside,
  id,
  at,
  chartHeight,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly aside?: ComponentChildren;
  readonly id: string;
  /** The time of all data in the card. Cards on the same page can differ. */
  readonly at?: string | undefined;
  /** Height in pixels to reserve for a chart while it loads. */
  readonly chartHeight?: number;
}) {
  return (
    <section
      class={chartHeight === undefined ? 'card' : 'card charted'}
      style={chartHeight === undefined ? undefined : { '--chart': `${chartHeight}px` }}
      aria-labelledby={id}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {at !== undefined && (
          <small class="asof">
            as of <Age at={at} />
          </small>
        )}
        {aside !== undefined && <div class="aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}
