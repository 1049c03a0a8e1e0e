import { lockedPackages, packageName } from './lockedPackages.mjs';

/**
 * Returns the contents of the package as CycloneDX 1.6: the packages that it installs, and those bundled into its
 * pages. Derived from the lock file only, so equal sources give equal bytes.
 */
export function billOfMaterials({ version, license }) {
  const installed = lockedPackages('server');
  const built = lockedPackages('dashboard');
  const components = new Map();
  for (const [place, entry] of [...installed, ...built]) {
    const one = component(packageName(place), entry, installed.has(place));
    if (!components.has(one.purl)) components.set(one.purl, one);
  }
  const purl = purlOf('assay', version);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': purl,
        name: 'assay',
        version,
        purl,
        licenses: licensesOf(license),
      },
    },
    components: [...components.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
  };
}

function component(name, { version, license, integrity, optional }, isInstalled) {
  const purl = purlOf(name, version);
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    scope: optional ? 'optional' : 'required',
    licenses: licensesOf(license),
    hashes: hashesOf(integrity),
    ...(!isInstalled && { properties: [{ name: 'assay:builtInto', value: 'dashboard' }] }),
  };
}

/** CycloneDX has a separate field for an expression such as "(MIT OR Apache-2.0)". */
function licensesOf(license) {
  if (license === undefined) return [];
  return [/[\s(]/.test(license) ? { expression: license } : { license: { id: license } }];
}

function hashesOf(integrity = '') {
  return integrity
    .split(' ')
    .filter((one) => one.startsWith('sha512-'))
    .map((one) => ({
      alg: 'SHA-512',
      content: Buffer.from(one.slice('sha512-'.length), 'base64').toString('hex'),
    }));
}

function purlOf(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}
