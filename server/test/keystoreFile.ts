import { createCipheriv, pbkdf2Sync, randomBytes } from 'node:crypto';
import { type Hex, keccak256 } from 'viem';

/** Encrypts a key as a version 3 keystore, like wallets do except for fewer rounds. */
export function encryptKey(key: Hex, password: string): string {
  const [salt, iv] = [randomBytes(32), randomBytes(16)];
  const derived = pbkdf2Sync(password, salt, 1_000, 32, 'sha256');
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv);
  const ciphertext = Buffer.concat([cipher.update(key.slice(2), 'hex'), cipher.final()]);
  const mac = keccak256(Buffer.concat([derived.subarray(16), ciphertext]));
  const kdfparams = { c: 1_000, dklen: 32, prf: 'hmac-sha256', salt: salt.toString('hex') };
  return JSON.stringify({
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: iv.toString('hex') },
      ciphertext: ciphertext.toString('hex'),
      ...{ kdf: 'pbkdf2', kdfparams, mac: mac.slice(2) },
    },
    version: 3,
  });
}
