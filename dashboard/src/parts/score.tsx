/** A riskScore with its bar. */
export function Score({ value }: { readonly value: number }) {
  const look = value >= 70 ? 'good' : value >= 40 ? 'fair' : 'poor';
  return (
    <span class={`score ${look}`} title={`${value} of 100, higher is safer`}>
      <i style={{ inlineSize: `${value}%` }} />
      {Math.round(value)}
    </span>
  );
}
