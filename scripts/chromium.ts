import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { CAN_INSTALL, installPackage } from '../server/test/aptGet.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Applications of macOS are not on the PATH. */
const MAC_PROGRAMS = ['Google Chrome', 'Chromium'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

export class ChromiumMissing extends Error {
  override readonly name = 'ChromiumMissing';

  constructor() {
    super(
      `No browser found; tests of pages run in a real one. Install Chromium (Debian: apt-get install chromium; macOS: Google Chrome in /Applications), or put one of ${NAMES.join(', ')} on the PATH.`,
    );
  }
}

/**
 * Installs a missing browser before the tests run. Test files run side by side, and one could find the browser while
 * another is still installing it.
 */
export async function prepareChromium(): Promise<void> {
  if (!findProgram() && CAN_INSTALL) await installProgram();
}

/** Opens a real browser for tests of pages: an installed one, or Debian's package, which root can install. */
export async function openChromium(): Promise<Browser> {
  const executablePath = findProgram() ?? (await installProgram());
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath, args: isRoot ? ['--no-sandbox'] : [] });
}

function findProgram(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...MAC_PROGRAMS].find(existsSync);
}

async function installProgram(): Promise<string> {
  if (!CAN_INSTALL) throw new ChromiumMissing();
  await installPackage('chromium');
  const found = findProgram();
  if (!found) throw new ChromiumMissing();
  return found;
}
