import type { ImportStep } from './importProgress.ts';

// A record separator: no printed line starts with it.
const MARK = '\x1e';
const INTERVAL_MS = 200;

/** Encodes import progress as lines among the output, for a terminal that shows a bar. */
export function startProgressLines(
  print: (line: string) => void,
  now: () => number = () => performance.now(),
): (step: ImportStep) => void {
  let sentAt = Number.NEGATIVE_INFINITY;
  let last = '';
  return ({ source, phase, done, total }) => {
    const place = `${source} ${phase}`;
    if (place === last && done !== total && now() - sentAt < INTERVAL_MS) return;
    last = place;
    sentAt = now();
    print(MARK + JSON.stringify({ source, phase, done, total }));
  };
}

/** Returns undefined for any other line. */
export function readProgressLine(line: string): ImportStep | undefined {
  return line.startsWith(MARK) ? (JSON.parse(line.slice(MARK.length)) as ImportStep) : undefined;
}
