/** A row of buttons, one of which is selected. */
export function Choice<T extends string>({
  label,
  choices,
  value,
  onChoose,
  disabled = [],
}: {
  readonly label: string;
  readonly choices: readonly (readonly [value: T, label: string])[];
  readonly value: T;
  readonly onChoose: (value: T) => void;
  readonly disabled?: readonly T[];
}) {
  return (
    <fieldset class="choice">
      <legend class="sr">{label}</legend>
      {choices.map(([one, words]) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === value}
          disabled={disabled.includes(one)}
          onClick={() => onChoose(one)}
        >
          {words}
        </button>
      ))}
    </fieldset>
  );
}
