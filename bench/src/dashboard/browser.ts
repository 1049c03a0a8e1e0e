import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

export class BrowserMissing extends Error {
  constructor() {
    super('No Chromium found: install it (apt-get install chromium), or put one on the PATH.');
    this.name = 'BrowserMissing';
  }
}

export async function startBrowser(): Promise<Browser> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const executablePath = ['chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find(existsSync);
  if (executablePath === undefined) throw new BrowserMissing();
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath, args: isRoot ? ['--no-sandbox'] : [] });
}
