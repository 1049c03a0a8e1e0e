import type { ImportStep } from './importProgress.ts';

// A record separator: no line that a command prints for people begins with it.
const MARK = '\x1e';
const INTERVAL_MS = 200;

/** How far an import is, as lines between those that it prints; for whoever has a bar to show it. */
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

/** Undefined for a line of another kind. */
export function readProgressLine(line: string): ImportStep | undefined {
  return line.startsWith(MARK) ? (JSON.parse(line.slice(MARK.length)) as ImportStep) : undefined;
}
