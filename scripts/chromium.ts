import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

const run = promisify(execFile);
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

export class ChromiumMissing extends Error {
  override readonly name = 'ChromiumMissing';

  constructor() {
    super(
      `no browser found: install Chromium (Debian: apt-get install chromium), or put one of ${NAMES.join(', ')} on the PATH; tests of pages need a real one`,
    );
  }
}

/** A real browser for tests of pages: the one on the PATH, else Debian's package, installed as root. */
export async function openChromium(): Promise<Browser> {
  const executablePath = findProgram() ?? (await installProgram());
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath, args: isRoot ? ['--no-sandbox'] : [] });
}

function findProgram(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
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
