import { shortAddress } from '../format/text.ts';
import { CopyButton } from './download.tsx';

/** A transaction hash or an address, short and with a button that copies all of it. */
export function Hash({ value }: { readonly value: string }) {
  return (
    <span class="hash">
      <code title={value}>{shortAddress(value)}</code>
      <CopyButton text={() => value} label="Copy" />
    </span>
  );
}
