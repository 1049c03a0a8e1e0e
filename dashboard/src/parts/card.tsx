import type { ComponentChildren } from 'preact';

/** A part of a page with its heading. */
export function Card({
  title,
  children,
  aside,
  id,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly aside?: ComponentChildren;
  readonly id: string;
}) {
  return (
    <section class="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <div class="aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}
