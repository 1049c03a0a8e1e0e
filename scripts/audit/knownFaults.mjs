import { execFile } from 'node:child_process';
import { ROOT } from '../tree.mjs';

/**
 * What the registry knows of faults in the versions of the lock file, development tools aside, by way of `npm audit`.
 * Undefined where the registry has no such service.
 */
export async function knownFaults({ registry } = {}) {
  const args = ['audit', '--json', '--package-lock-only', '--omit=dev'];
  if (registry !== undefined) args.push(`--registry=${registry}`);
  const text = await new Promise((resolve) => {
    // It fails where it finds something, and where it cannot ask: what it says tells them apart.
    execFile('npm', args, { cwd: ROOT }, (_error, stdout) => resolve(stdout));
  });
  return readReport(text);
}

/** One line for each package with a fault. */
export function readReport(text) {
  let report;
  try {
    report = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (report.vulnerabilities === undefined) return undefined;
  return Object.values(report.vulnerabilities).map(({ name, severity, range, via }) => {
    const titles = via.map((one) => (typeof one === 'string' ? `through ${one}` : one.title));
    return `${name} ${range} (${severity}): ${[...new Set(titles)].join('; ')}`;
  });
}
