/** A list to choose from, without a visible label. */
export function Select<T extends string>({
  label,
  options,
  value,
  onChoose,
  class: className,
}: {
  readonly label: string;
  readonly options: readonly (readonly [value: T, label: string])[];
  readonly value: T;
  readonly onChoose: (value: T) => void;
  readonly class?: string;
}) {
  return (
    <label class={className}>
      <span class="sr">{label}</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value as T)}>
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
