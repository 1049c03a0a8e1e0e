/** A riskScore with its bar. No color: the letter grade is sold, and a color of the score could contradict it. */
export function Score({ value }: { readonly value: number }) {
  return (
    <span class="score" title={`${value} of 100, higher is safer`}>
      <i style={{ inlineSize: `${value}%` }} />
      {Math.round(value)}
    </span>
  );
}
