import { lockedPackages } from '../pack/lockedPackages.mjs';
import { findLicenseProblems } from './licenses.mjs';
import { findOverdueRemovals } from './removals.mjs';
import { findVulnerabilities } from './vulnerabilities.mjs';

/** Audits everything that is shipped, at `now` (Unix milliseconds): what the package installs, and what its pages contain. */
export async function auditTree({ now, registry }) {
  const shipped = new Map([...lockedPackages('server'), ...lockedPackages('dashboard')]);
  const licenses = findLicenseProblems(shipped);
  const overdue = findOverdueRemovals({ now });
  const vulnerabilities = await findVulnerabilities({ registry });
  return {
    ok: licenses.length + overdue.length + (vulnerabilities?.length ?? 0) === 0,
    lines: [
      ...listed(`packages without a permissive license, of ${shipped.size}`, licenses),
      ...listed('code past its removal date', overdue),
      ...(vulnerabilities === undefined
        ? [
            'known vulnerabilities: NOT CHECKED. This registry does not list them. Run "npm audit --omit=dev" with one that does.',
          ]
        : listed('known vulnerabilities', vulnerabilities)),
    ],
  };
}

function listed(what, found) {
  return [`${what}: ${found.length || 'none'}`, ...found.map((line) => `  ${line}`)];
}
