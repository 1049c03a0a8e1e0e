/** A letter, A safest to F riskiest. */
export function Grade({ letter, isBig = false }: { readonly letter: string; isBig?: boolean }) {
  const look = 'AB'.includes(letter) ? 'good' : 'CD'.includes(letter) ? 'fair' : 'poor';
  return (
    <span class={`grade ${look}${isBig ? ' big' : ''}`}>
      <span class="sr">grade </span>
      {letter}
    </span>
  );
}
