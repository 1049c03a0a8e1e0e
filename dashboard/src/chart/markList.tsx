import { Hash } from '../components/hash.tsx';
import { momentText } from '../format/time.ts';
import type { Mark } from './marks.ts';

const KINDS = { reorg: 'Reorg', gap: 'Gap', governance: 'Governance' } as const;

/** Lists the marks of a chart, for keyboards and screen readers, and to copy their transactions. */
export function MarkList({ marks }: { readonly marks: readonly Mark[] }) {
  if (marks.length === 0) return null;
  return (
    <details class="behind">
      <summary>Marks ({marks.length})</summary>
      <ul class="marks">
        {marks.map(({ kind, at, to, text, transactionHash }) => (
          <li key={`${kind} ${at} ${text}`}>
            <b>{KINDS[kind]}</b>
            <span>
              {momentText(at * 1000)}
              {to !== undefined && ` to ${momentText(to * 1000)}`}
            </span>
            <span>{text}</span>
            {transactionHash && <Hash value={transactionHash} />}
          </li>
        ))}
      </ul>
    </details>
  );
}
