import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../tree.mjs';
import { lockedPackages, packageName } from './lockedPackages.mjs';

const LICENSE_FILE = /^(licen[cs]e|copying)(\.(md|txt))?$/i;

/** Licenses of the packages bundled into the pages; packages that npm installs contain theirs. */
export function notices() {
  const texts = [...lockedPackages('dashboard')].map(([place, { version, license }]) => {
    const folder = join(ROOT, place);
    const file = readdirSync(folder).find((name) => LICENSE_FILE.test(name));
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
    return `${packageName(place)} ${version} (${license})\n\n${text}`.trim();
  });
  return `The pages in dist/dashboard contain parts of these packages.\n\n${texts.join('\n\n---\n\n')}\n`;
}
