import { useState } from 'preact/hooks';
import { type Cell, csvText, jsonText } from '../format/csv.ts';

export interface Shown {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly head: readonly string[];
  readonly rows: () => readonly (readonly Cell[])[];
  readonly json: () => unknown;
}

/** The address of what is shown, and what is shown as a file. */
export function TakeAway({ shown }: { readonly shown: Shown }) {
  return (
    <div class="takeaway">
      <CopyButton text={() => location.href} label="Copy link" />
      <button
        type="button"
        class="quiet"
        onClick={() => save(`${shown.name}.csv`, csvText(shown.head, shown.rows()), 'text/csv')}
      >
        CSV
      </button>
      <button
        type="button"
        class="quiet"
        onClick={() => save(`${shown.name}.json`, jsonText(shown.json()), 'application/json')}
      >
        JSON
      </button>
    </div>
  );
}

export function CopyButton({ text, label }: { readonly text: () => string; label: string }) {
  const [said, setSaid] = useState('');
  return (
    <button type="button" class="quiet" onClick={copy}>
      {said || label}
      <span class="sr" aria-live="polite">
        {said}
      </span>
    </button>
  );

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text());
      setSaid('Copied');
    } catch {
      setSaid('Not allowed');
    }
    setTimeout(() => setSaid(''), 1_500);
  }
}

export function save(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replaceAll(/[^\w.-]+/g, '-');
  link.click();
  URL.revokeObjectURL(url);
}
