import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

const run = promisify(execFile);
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
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new ChromiumMissing();
  console.log('installing the Debian package chromium, which the tests need');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = () =>
    run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { env });
  await install().catch(async () => {
    await run('apt-get', ['update'], { env });
    await install();
  });
  const found = findProgram();
  if (!found) throw new ChromiumMissing();
  return found;
}
