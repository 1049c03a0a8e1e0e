import { lockedPackages } from '../pack/lockedPackages.mjs';
import { knownFaults } from './knownFaults.mjs';
import { licenseFaults } from './licenses.mjs';
import { overdueRemovals } from './removals.mjs';

/** Audits everything that is shipped, at `now` (Unix milliseconds): what the package installs, and what its pages contain. */
export async function auditTree({ now, registry }) {
  const shipped = new Map([...lockedPackages('server'), ...lockedPackages('dashboard')]);
  const licenses = licenseFaults(shipped);
  const overdue = overdueRemovals({ now });
  const faults = await knownFaults({ registry });
  return {
    ok: licenses.length + overdue.length + (faults?.length ?? 0) === 0,
    lines: [
      ...listed(`packages without a permissive license, of ${shipped.size}`, licenses),
      ...listed('code past its removal date', overdue),
      ...(faults === undefined
        ? [
            'known vulnerabilities: NOT CHECKED. This registry does not list them. Run "npm audit --omit=dev" with one that does.',
          ]
        : listed('known vulnerabilities', faults)),
    ],
  };
}

function listed(what, found) {
  return [`${what}: ${found.length || 'none'}`, ...found.map((line) => `  ${line}`)];
}
