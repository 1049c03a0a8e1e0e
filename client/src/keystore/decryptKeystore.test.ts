import { keccak256 as viemKeccak } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { KEYSTORE } from '../../test/keystoreFile.ts';
import { decryptKeystore } from './decryptKeystore.ts';
import { keccak256 } from './keccak.ts';

const PASSWORD = 'testpassword';
const KEY = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d';
/** The test vector of the Web3 Secret Storage definition, and a file created with Python's hashlib and OpenSSL. */
const FILES = {
  pbkdf2: {
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
      ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
      kdf: 'pbkdf2',
      kdfparams: {
        c: 262_144,
        dklen: 32,
        prf: 'hmac-sha256',
        salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
      },
      mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
    },
    id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
    version: 3,
  },
  scrypt: JSON.parse(KEYSTORE),
} as const;

/** Returns the PBKDF2 file with changed fields of `crypto`. */
function changed(crypto: object, file: object = {}): string {
  return JSON.stringify({
    ...FILES.pbkdf2,
    ...file,
    crypto: { ...FILES.pbkdf2.crypto, ...crypto },
  });
}

describe('decryptKeystore', () => {
  test.each([
    ['pbkdf2', PASSWORD, KEY],
    ['scrypt', 'päss word', '0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'],
  ] as const)('default: %s', async (kdf, password, privateKey) => {
    expect(await decryptKeystore(JSON.stringify(FILES[kdf]), password)).toEqual({
      privateKey,
      address: privateKeyToAddress(privateKey).toLowerCase(),
    });
  });

  test('behavior: an address in the file is compared with that of the key', async () => {
    const address = privateKeyToAddress(KEY);
    for (const named of [address, address.slice(2).toLowerCase()]) {
      const found = await decryptKeystore(changed({}, { address: named }), PASSWORD);
      expect(found.privateKey).toBe(KEY);
    }
    const other = changed({}, { address: `0x${'11'.repeat(20)}` });
    await expect(decryptKeystore(other, PASSWORD)).rejects.toThrow('does not match its key');
  });

  test.each([
    ['another password', changed({}), 'TestPassword'],
    ['a changed byte', changed({ ciphertext: `6${FILES.pbkdf2.crypto.ciphertext.slice(1)}` })],
    ['another MAC', changed({ mac: '00'.repeat(32) })],
  ])('error: %s', async (_, file, password = PASSWORD) => {
    const error = await decryptKeystore(file, password).catch((caught) => caught);
    expect(error).toMatchObject({ type: 'config' });
    expect(error.message).toContain('password is wrong');
  });

  test.each([
    ['no JSON', 'secret text'],
    ['no object', '3'],
    ['another version', changed({}, { version: 1 })],
    ['another cipher', changed({ cipher: 'aes-128-cbc' })],
    ['another derivation', changed({ kdf: 'argon2' })],
    ['another hash', changed({ kdfparams: { ...FILES.pbkdf2.crypto.kdfparams, prf: 'md5' } })],
    ['a short IV', changed({ cipherparams: { iv: '00' } })],
    ['unlimited rounds', changed({ kdfparams: { ...FILES.pbkdf2.crypto.kdfparams, c: 1e12 } })],
    [
      'unlimited memory',
      changed({ kdf: 'scrypt', kdfparams: { ...FILES.scrypt.crypto.kdfparams, n: 2 ** 29 } }),
    ],
    [
      'a cost that is not a power of two',
      changed({ kdf: 'scrypt', kdfparams: { ...FILES.scrypt.crypto.kdfparams, n: 3 } }),
    ],
    [
      'a cost that OpenSSL rejects',
      changed({
        kdf: 'scrypt',
        kdfparams: { ...FILES.scrypt.crypto.kdfparams, n: 2 ** 18, r: 1 },
      }),
    ],
  ])('error: %s', async (_, file) => {
    const error = await decryptKeystore(file, PASSWORD).catch((caught) => caught);
    expect(error).toMatchObject({ type: 'config' });
    expect(error.message).toContain('not a version 3 keystore');
    expect(error.message).not.toContain('secret');
  });
});

test("keccak256: equals viem's at every length up to three blocks", () => {
  for (let length = 0; length <= 408; length += 8) {
    for (const more of [0, 1, 7]) {
      const input = Uint8Array.from({ length: length + more }, (_, i) => (i * 7 + length) % 256);
      expect(`0x${Buffer.from(keccak256(input)).toString('hex')}`).toBe(viemKeccak(input));
    }
  }
});
