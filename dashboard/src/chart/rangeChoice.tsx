import { useState } from 'preact/hooks';
import { Choice } from '../components/choice.tsx';
import { useRange } from './rangeState.ts';
import { RANGES, type Range } from './ranges.ts';
import { isPeriod } from './shownRange.ts';

const CHOICES = [...RANGES, ['custom', 'Custom']] as const;
const DAY_MS = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Buttons for the usual ranges, and two days to choose. */
export function RangeChoice() {
  const [range, setRange] = useRange();
  const [isOpen, setOpen] = useState(false);
  const isCustom = isOpen || range.chosen === 'custom';
  return (
    <>
      <Choice<Range | 'custom'>
        label="Range"
        choices={CHOICES}
        value={isCustom ? 'custom' : range.chosen}
        onChoose={(chosen) => {
          setOpen(chosen === 'custom');
          if (chosen !== 'custom') setRange(chosen);
        }}
      />
      {isCustom && <DaysForm />}
    </>
  );
}

function DaysForm() {
  const [{ days }, setRange] = useRange();
  const today = dayOf(Date.now());
  const [from, setFrom] = useState(days?.from ?? dayOf(Date.now() - 14 * DAY_MS));
  const [to, setTo] = useState(days?.to ?? today);
  return (
    <form
      class="days"
      onSubmit={(event) => {
        event.preventDefault();
        if (isPeriod(from, to)) setRange({ from, to });
      }}
    >
      <label>
        <span class="sr">First day (UTC)</span>
        <input
          type="date"
          required
          max={to}
          value={from}
          onInput={(event) => setFrom(event.currentTarget.value)}
        />
      </label>
      <span aria-hidden="true">–</span>
      <label>
        <span class="sr">Last day (UTC)</span>
        <input
          type="date"
          required
          min={from}
          max={today}
          value={to}
          onInput={(event) => setTo(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Show</button>
    </form>
  );
}
