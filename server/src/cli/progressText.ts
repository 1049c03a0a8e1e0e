/** The progress of one chain. Blocks are null while unknown. */
export interface ChainProgress {
  readonly chainId: number;
  readonly name: string;
  readonly state: 'live' | 'syncing' | 'unreachable' | 'unconfigured';
  /** The first block to index. */
  readonly startBlock: number | null;
  readonly indexedBlock: number | null;
  /** The block to reach. */
  readonly targetBlock: number | null;
  /** Contains no secrets. */
  readonly error: string | null;
}

export interface ProgressLine extends ChainProgress {
  readonly secondsLeft: number | null;
}

/** From 0 to 1; null while unknown. Never 1 before the target itself is indexed. */
export function fractionDone(chain: ChainProgress): number | null {
  const { startBlock, indexedBlock, targetBlock } = chain;
  if (startBlock === null || indexedBlock === null || targetBlock === null) return null;
  if (indexedBlock >= targetBlock) return 1;
  const span = targetBlock - startBlock + 1;
  const done = Math.max(0, indexedBlock - startBlock + 1);
  return span <= 0 ? 1 : Math.min(done / span, 0.999);
}

/** Renders one bar per chain, no wider than the terminal and no more than it has rows. */
export function renderBars(
  chains: readonly ProgressLine[],
  size: { readonly columns: number; readonly rows: number },
): string[] {
  const room = Math.max(1, size.rows - 1);
  const shown = chains.length <= room ? chains : chains.slice(0, room - 1);
  const nameWidth = Math.max(0, ...shown.map((chain) => chain.name.length));
  const lines = shown.map((chain) => renderBar(chain, nameWidth, size.columns));
  if (shown.length < chains.length) lines.push(`… and ${chains.length - shown.length} more`);
  return lines.map((line) => cut(line, size.columns));
}

function renderBar(chain: ProgressLine, nameWidth: number, columns: number): string {
  const name = chain.name.padEnd(nameWidth);
  const fraction = fractionDone(chain);
  if (chain.state !== 'syncing' || fraction === null) return `${name}  ${describeState(chain)}`;
  const words = `${percent(fraction)}  ${describeState(chain)}`;
  // The bar uses the space that the text leaves, and shrinks on a narrow terminal.
  const width = Math.min(40, columns - nameWidth - words.length - 7);
  if (width < 5) return `${name}  ${words}`;
  const filled = Math.floor(fraction * width);
  return `${name}  [${'='.repeat(filled).padEnd(width)}]  ${words}`;
}

function describeState(chain: ProgressLine): string {
  const at = chain.indexedBlock === null ? '' : ` at block ${chain.indexedBlock}`;
  switch (chain.state) {
    case 'live':
      return `live${at}`;
    case 'unconfigured':
      return 'not configured: no RPC URL';
    case 'unreachable':
      return `unreachable${at}${chain.error === null ? '' : `: ${printable(chain.error)}`}`;
    case 'syncing': {
      const target = chain.targetBlock === null ? '' : ` of ${chain.targetBlock}`;
      const left = chain.secondsLeft === null ? '' : `, ${duration(chain.secondsLeft)} left`;
      return `syncing${at}${at === '' ? '' : target}${left}`;
    }
  }
}

function percent(fraction: number): string {
  return `${(Math.floor(fraction * 1000) / 10).toFixed(1)}%`.padStart(6);
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** An error message may be third-party text: remove control characters. */
function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}

function cut(line: string, columns: number): string {
  return line.length <= columns ? line : `${line.slice(0, Math.max(0, columns - 1))}…`;
}
