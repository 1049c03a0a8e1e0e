import { readFile, stat } from 'node:fs/promises';
import type { Signer } from '@assay/client';
import { askHidden } from '../../cli/confirm.ts';
import { UsageError } from '../../cli/usageError.ts';
import type { Terminal } from '../command.ts';
import { readSecret } from '../readSecret.ts';
import type { RunningDemo } from './demo.ts';

const KEY = /^(?:0x)?[0-9a-f]{64}$/i;
const OTHERS_MAY_READ = 0o077;

/** The key to pay with. */
export interface KeySettings {
  readonly keyFile: string | undefined;
  readonly keystore: string | undefined;
}

/** Loads the key from a file, the environment, or the demo. Keys are never accepted on a command line. */
export async function openSigner(
  settings: KeySettings,
  demo: RunningDemo | undefined,
  terminal: Terminal,
): Promise<Signer> {
  const key = await findKey(settings, demo, terminal);
  // Loaded only to pay: it takes as long to load as the rest of the program.
  const { privateKeyToAccount } = await import('viem/accounts');
  try {
    return privateKeyToAccount(`0x${key.replace(/^0x/i, '')}`);
  } catch {
    throw new UsageError('the private key is not valid for secp256k1; use another');
  }
}

async function findKey(
  { keyFile, keystore }: KeySettings,
  demo: RunningDemo | undefined,
  terminal: Terminal,
): Promise<string> {
  if (keyFile !== undefined && keystore !== undefined) {
    throw new UsageError('use either --key-file or --keystore, not both');
  }
  if (keystore !== undefined) return readKeystore(keystore, terminal);
  if (keyFile !== undefined) {
    const key = await readKeyFile(keyFile);
    terminal.errors.write(
      `assay: the key in ${keyFile} is not encrypted; use --keystore for an encrypted key\n`,
    );
    return key;
  }
  const given = readSecret(terminal.env, 'ASSAY_PRIVATE_KEY');
  if (given) {
    if (KEY.test(given)) return given;
    throw new UsageError('ASSAY_PRIVATE_KEY must be 64 hexadecimal digits; correct it');
  }
  const own = demo?.wallets[0]?.privateKey;
  if (own !== undefined) return own;
  throw new UsageError(
    'no key to pay with: use --keystore or --key-file, or set ASSAY_PRIVATE_KEY',
  );
}

async function readKeystore(file: string, terminal: Terminal): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`${file} cannot be read; name a keystore file`);
  });
  const password = await findPassword(file, terminal);
  const { decryptKeystore } = await import('@assay/client/keystore');
  try {
    return (await decryptKeystore(text, password)).privateKey;
  } catch (error) {
    throw new UsageError(`${file} cannot be decrypted: ${(error as Error).message}`);
  }
}

async function findPassword(file: string, { env, input, errors }: Terminal): Promise<string> {
  const given = readSecret(env, 'ASSAY_KEYSTORE_PASSWORD');
  if (given) return given;
  if (input.isTTY && errors.isTTY) return askHidden(`Password of ${file}: `, { input, errors });
  throw new UsageError(
    `${file} is encrypted: set ASSAY_KEYSTORE_PASSWORD_FILE to a file with its password`,
  );
}

async function readKeyFile(file: string): Promise<string> {
  if (KEY.test(file)) {
    throw new UsageError(
      '--key-file takes a file name; other users can read a key on a command line, so replace that key now',
    );
  }
  const { mode } = await stat(file).catch(unreadable);
  if (process.platform !== 'win32' && (mode & OTHERS_MAY_READ) !== 0) {
    throw new UsageError(`other users can read ${file}: run chmod 600 on it first`);
  }
  const text = (await readFile(file, 'utf8').catch(unreadable)).trim();
  if (KEY.test(text)) return text;
  throw new UsageError(`${file} must contain one private key, 64 hexadecimal digits; correct it`);

  function unreadable(): never {
    throw new UsageError(`${file} cannot be read; name a file that contains a private key`);
  }
}
