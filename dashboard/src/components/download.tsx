import { useContext, useState } from 'preact/hooks';
import { type Cell, csvText, jsonText } from '../format/csv.ts';
import { PreviousContext } from './previous.ts';

export interface Shown {
  /** File name without extension. */
  readonly name: string;
  readonly head: readonly string[];
  readonly rows: () => readonly (readonly Cell[])[];
  readonly json: () => unknown;
}

/** Buttons that copy the link to this view and export its data. */
export function ViewActions({ shown }: { readonly shown: Shown }) {
  const isPrevious = useContext(PreviousContext);
  const held = { disabled: isPrevious, title: isPrevious ? 'Not loaded yet' : undefined };
  return (
    <div class="exports">
      <CopyButton text={() => location.href} label="Copy link" />
      <button
        type="button"
        class="quiet"
        {...held}
        onClick={() => save(`${shown.name}.csv`, csvText(shown.head, shown.rows()), 'text/csv')}
      >
        CSV
      </button>
      <button
        type="button"
        class="quiet"
        {...held}
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
      setSaid('Copy failed');
    }
    setTimeout(() => setSaid(''), 1_500);
  }
}

export function save(name: string, text: string, type: string): void {
  saveFile(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replaceAll(/[^\w.-]+/g, '-');
  link.click();
  URL.revokeObjectURL(url);
}
