import { readFile, stat } from 'node:fs/promises';
import type { Signer } from '@assay/client';
import { UsageError } from '../../cli/usageError.ts';
import type { RunningDemo } from './demo.ts';

const KEY = /^(?:0x)?[0-9a-f]{64}$/i;
const OTHERS_MAY_READ = 0o077;

/** Whoever pays: from a file, the environment, or among the demo's own wallets. A key is never on a command line. */
export async function openSigner(options: {
  readonly keyFile: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly demo: RunningDemo | undefined;
}): Promise<Signer> {
  const key = await findKey(options);
  // Only who pays needs it, and it takes as long to load as all the rest.
  const { privateKeyToAccount } = await import('viem/accounts');
  try {
    return privateKeyToAccount(`0x${key.replace(/^0x/i, '')}`);
  } catch {
    throw new UsageError('the private key is none of its curve; use another');
  }
}

async function findKey({ keyFile, env, demo }: Parameters<typeof openSigner>[0]): Promise<string> {
  if (keyFile !== undefined) return readKeyFile(keyFile);
  const given = env.ASSAY_PRIVATE_KEY;
  if (given) {
    if (KEY.test(given)) return given;
    throw new UsageError('ASSAY_PRIVATE_KEY must be 64 hexadecimal digits; correct it');
  }
  const own = demo?.wallets[0]?.privateKey;
  if (own !== undefined) return own;
  throw new UsageError(
    'there is no key to pay with: name a file of one with --key-file, or set ASSAY_PRIVATE_KEY',
  );
}

async function readKeyFile(file: string): Promise<string> {
  if (KEY.test(file)) {
    throw new UsageError(
      '--key-file names a file; a key on a command line can be read by others, so use another key now',
    );
  }
  const { mode } = await stat(file).catch(unreadable);
  if (process.platform !== 'win32' && (mode & OTHERS_MAY_READ) !== 0) {
    throw new UsageError(`others may read ${file}: run chmod 600 on it first`);
  }
  const text = (await readFile(file, 'utf8').catch(unreadable)).trim();
  if (KEY.test(text)) return text;
  throw new UsageError(`${file} must hold one private key, 64 hexadecimal digits; correct it`);

  function unreadable(): never {
    throw new UsageError(`${file} cannot be read; name a file that holds a private key`);
  }
}
