import { type CheckLine, fail, pass, warn } from '../check/line.ts';
import { inspectHosts } from '../store/inspectHosts.ts';
import { splitHosts } from '../store/postgresHosts.ts';

const KEY = 'DATABASE_URL';
const RUNBOOK = '(docs/operate.md, Failover)';

/** Hosts are numbered by their position in the URL: no part of the URL is shown. */
export async function examineHosts(url: string, sells: boolean): Promise<CheckLine[]> {
  if (splitHosts(url).length === 1) return [];
  const { reports, split, synchronous } = await inspectHosts(url);
  const hosts = reports.map((report, i) => ({ name: `host ${i + 1}`, report }));
  const writable = hosts.flatMap(({ name, report }) =>
    report === undefined || report.timeline === null
      ? []
      : [`${name} (timeline ${report.timeline})`],
  );
  const lines = hosts
    .filter(({ report }) => report === undefined)
    .map(({ name }) =>
      warn(KEY, `${name} does not respond`, 'until it does, no other host can take over from it'),
    );
  if (new Set(reports.flatMap((report) => report?.cluster ?? [])).size > 1) {
    lines.push(fail(KEY, 'its hosts belong to different clusters', 'remove the wrong one'));
  }
  if (split) {
    const reason = `${writable.join(' and ')} accept writes, so nothing is sold`;
    const fix = `stop the one with the lower timeline and make it a replica ${RUNBOOK}`;
    lines.push(fail(KEY, reason, fix));
  } else if (writable.length > 0) {
    lines.push(pass(`${KEY}: ${hosts.length} hosts, ${writable[0]} accepts writes`));
  }
  if (sells && synchronous === false) {
    const reason = 'payments are sold, and a failover can lose the newest of them';
    lines.push(warn(KEY, reason, `set synchronous_standby_names on the primary ${RUNBOOK}`));
  }
  return lines;
}
