import { lettersOf, lookOf } from './mark.ts';

/** A drawn mark of a token. Decorative: its symbol is next to it. */
export function TokenMark({ symbol }: { readonly symbol: string }) {
  const { hue } = lookOf(symbol);
  return (
    <svg class="mark token" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="16" fill={`hsl(${hue} 52% 34%)`} />
      <text x="16" y="20.5" text-anchor="middle" font-size="13" font-weight="650" fill="#fff">
        {lettersOf(symbol)}
      </text>
    </svg>
  );
}

/** A drawn mark of a chain. Decorative: its name is next to it. */
export function ChainMark({ chainId }: { readonly chainId: number }) {
  const { hue, cells } = lookOf(String(chainId));
  return (
    <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
      <rect width="16" height="16" rx="4" fill={`hsl(${hue} 48% 42%)`} />
      {cells.flatMap((isFilled, i) => {
        if (!isFilled) return [];
        const [column, row] = [i % 2, Math.floor(i / 2)];
        const y = 2 + row * 4;
        // The middle column is its own mirror.
        const xs = column === 1 ? [6] : [2, 10];
        return xs.map((x) => <rect key={x} x={x} y={y} width="4" height="4" fill="#fff" />);
      })}
    </svg>
  );
}
