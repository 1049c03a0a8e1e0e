/** A letter grade from A (safest) to F (riskiest). Each has its own color, and the letter is always text. */
export function Grade({ letter, isBig = false }: { readonly letter: string; isBig?: boolean }) {
  return (
    <span class={`grade grade-${letter}${isBig ? ' big' : ''}`}>
      <span class="sr">grade </span>
      {letter}
    </span>
  );
}
