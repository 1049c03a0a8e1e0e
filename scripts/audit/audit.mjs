import { lockedPackages } from '../pack/lockedPackages.mjs';
import { knownFaults } from './knownFaults.mjs';
import { licenceFaults } from './licences.mjs';

// What is shipped: all that the package installs, and what is built into its pages.
const shipped = new Map([...lockedPackages('server'), ...lockedPackages('dashboard')]);
const licences = licenceFaults(shipped);
tell(`licences of ${shipped.size} packages`, licences);
const faults = await knownFaults();
if (faults === undefined) {
  console.log(
    'known vulnerabilities: NOT CHECKED. This registry does not list them. Run "npm audit --omit=dev" with one that does.',
  );
} else tell('known vulnerabilities', faults);
process.exitCode = licences.length + (faults?.length ?? 0) > 0 ? 1 : 0;

function tell(what, found) {
  console.log(`${what}: ${found.length === 0 ? 'none to look at' : found.length}`);
  for (const line of found) console.log(`  ${line}`);
}
