import { execFile } from 'node:child_process';
import { ROOT } from '../tree.mjs';

/**
 * Returns the known vulnerabilities of the locked versions, without development tools, from `npm audit`. Undefined if
 * the registry does not offer this service.
 */
export async function findVulnerabilities({ registry } = {}) {
  const args = ['audit', '--json', '--package-lock-only', '--omit=dev'];
  if (registry !== undefined) args.push(`--registry=${registry}`);
  const text = await new Promise((resolve) => {
    // It fails if it finds something, and if it cannot ask; its output shows which.
    execFile('npm', args, { cwd: ROOT }, (_error, stdout) => resolve(stdout));
  });
  return readReport(text);
}

/** One line per package with a vulnerability. */
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
