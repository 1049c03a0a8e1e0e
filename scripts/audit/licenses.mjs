import { packageName } from '../pack/lockedPackages.mjs';

/** Licenses that permit use and redistribution within another package without conditions on the rest. */
const ALLOWED = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Unlicense',
  'CC0-1.0',
  'BlueOak-1.0.0',
]);

/** Returns one line per package with another license; of "A OR B", one permissive license is enough. */
export function findLicenseProblems(packages) {
  return [...packages].flatMap(([place, { version, license }]) => {
    if (license === undefined) return [`${packageName(place)} ${version} has no license`];
    if (/\bAND\b/.test(license)) {
      return words(license).every((one) => ALLOWED.has(one))
        ? []
        : [fault(place, version, license)];
    }
    return words(license).some((one) => ALLOWED.has(one)) ? [] : [fault(place, version, license)];
  });
}

function words(license) {
  return license
    .replaceAll(/[()]/g, '')
    .split(/\s+(?:OR|AND)\s+/)
    .map((one) => one.trim());
}

function fault(place, version, license) {
  return `${packageName(place)} ${version} is under ${license}`;
}
