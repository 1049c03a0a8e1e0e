import { createDecipheriv, createECDH, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { failure } from '../wire/errors.ts';
import { keccak256 } from './keccak.ts';

export interface Decrypted {
  readonly address: `0x${string}`;
  readonly privateKey: `0x${string}`;
}

type Fields = Readonly<Record<string, unknown>>;

/** Memory that scrypt may use. The usual files need 256 MiB. */
const MAX_MEMORY = 2 ** 30;
const MAX_ROUNDS = 10_000_000;

/**
 * Decrypts a keystore file (Web3 Secret Storage, version 3), as written by geth, Foundry, and most wallets. Throws
 * `config` if the password is wrong or the file is not a keystore.
 *
 * @example
 * const { privateKey } = await decryptKeystore(await readFile('key.json', 'utf8'), password);
 * const signer = privateKeyToAccount(privateKey);
 * console.log(signer.address);
 */
export async function decryptKeystore(json: string, password: string): Promise<Decrypted> {
  const file = parsed(json);
  const crypto = fieldsOf(file.crypto ?? file.Crypto);
  if (file.version !== 3 || crypto.cipher !== 'aes-128-ctr') throw invalid();
  const iv = bytesOf(fieldsOf(crypto.cipherparams).iv, 16);
  const ciphertext = bytesOf(crypto.ciphertext, 32);
  const derived = await derive(crypto, password);
  const mac = keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext]));
  if (!timingSafeEqual(mac, bytesOf(crypto.mac, 32))) {
    throw failure('config', 'The password is wrong, or the keystore is damaged.', {});
  }
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), iv);
  const key = Buffer.concat([decipher.update(ciphertext), decipher.final()]);
  const address = addressOf(key);
  const named = String(file.address ?? address).toLowerCase();
  if (named.replace(/^0x/, '') !== address.slice(2)) {
    throw failure('config', 'The address in the keystore does not match its key.', {});
  }
  return { address, privateKey: `0x${key.toString('hex')}` };
}

async function derive({ kdf, kdfparams }: Fields, password: string): Promise<Buffer> {
  const params = fieldsOf(kdfparams);
  const salt = bytesOf(params.salt);
  if (params.dklen !== 32) throw invalid();
  if (kdf === 'pbkdf2' && params.prf === 'hmac-sha256') {
    return promisify(pbkdf2)(password, salt, numberOf(params.c, MAX_ROUNDS), 32, 'sha256');
  }
  if (kdf !== 'scrypt') throw invalid();
  const [n, r, p] = [params.n, params.r, params.p].map((one) => numberOf(one, MAX_MEMORY));
  const needed = 128 * r! * (n! + p! + 2);
  if (needed > MAX_MEMORY || n! < 2 || (n! & (n! - 1)) !== 0) throw invalid();
  const options = { N: n!, r: r!, p: p!, maxmem: 2 * needed };
  return new Promise<Buffer>((resolve, reject) => {
    scrypt(password, salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)));
  }).catch(() => {
    throw invalid();
  });
}

function addressOf(key: Buffer): `0x${string}` {
  const curve = createECDH('secp256k1');
  try {
    curve.setPrivateKey(key);
  } catch {
    throw invalid();
  }
  const hash = keccak256(curve.getPublicKey().subarray(1));
  return `0x${Buffer.from(hash.subarray(12)).toString('hex')}`;
}

function parsed(json: string): Fields {
  try {
    return fieldsOf(JSON.parse(json));
  } catch {
    throw invalid();
  }
}

function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw invalid();
  return value as Fields;
}

function bytesOf(value: unknown, length?: number): Buffer {
  if (typeof value !== 'string' || !/^(0x)?([0-9a-f]{2})+$/i.test(value)) throw invalid();
  const bytes = Buffer.from(value.replace(/^0x/, ''), 'hex');
  if (length !== undefined && bytes.length !== length) throw invalid();
  return bytes;
}

function numberOf(value: unknown, max: number): number {
  if (Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= max) {
    return value as number;
  }
  throw invalid();
}

/** Does not include the file's content, which is secret. */
function invalid() {
  return failure('config', 'The file is not a version 3 keystore (Web3 Secret Storage).', {});
}
