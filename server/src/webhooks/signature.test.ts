import { createHmac, createPublicKey, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { createSigner, signedHeaders } from './signature.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const PRIVATE_KEY = `whsk_${Buffer.alloc(32, 7).toString('base64')}`;

describe('signedHeaders', () => {
  test('default: the example of the Standard Webhooks specification', () => {
    const headers = signedHeaders([createSigner(SECRET)], {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1_614_265_330,
      body: '{"test": 2432232314}',
    });
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('behavior: the reference library accepts each message, and none that was changed', () => {
    const library = new Webhook(SECRET);
    const timestamp = Math.floor(Date.now() / 1000);
    const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
    for (const keys of [[SECRET], [other, SECRET], [PRIVATE_KEY, SECRET]]) {
      for (const text of ['', 'a', 'ü€😀', 'x'.repeat(10_000)]) {
        const body = JSON.stringify({ text });
        const headers = signedHeaders(keys.map(createSigner), { id: 'msg_1', timestamp, body });
        expect(library.verify(body, headers)).toEqual({ text });
        expect(() => library.verify(`${body} `, headers)).toThrow('No matching signature found');
        expect(() => library.verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
      }
    }
    const headers = signedHeaders([createSigner(other)], { id: 'msg_1', timestamp, body: '{}' });
    expect(() => library.verify('{}', headers)).toThrow('No matching signature found');
  });

  test('behavior: while secrets overlap, each of them signs', () => {
    const other = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
    const signers = [SECRET, other, PRIVATE_KEY].map(createSigner);
    const { 'webhook-signature': text } = signedHeaders(signers, {
      id: 'a',
      timestamp: 5,
      body: '{}',
    });
    const signatures = text.split(' ');
    expect(signatures.map((one) => one.split(',')[0])).toEqual(['v1', 'v1', 'v1a']);
    const right = createHmac('sha256', Buffer.alloc(24, 1)).update('a.5.{}').digest('base64');
    expect(signatures[1]).toBe(`v1,${right}`);
  });
});

describe('createSigner', () => {
  function verifies(publicKey: string, content: string, signature: string): boolean {
    const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, Buffer.from(content), key, Buffer.from(signature, 'base64'));
  }

  test('behavior: ed25519 verifies with the public key that it names', () => {
    const { sign, publicKey } = createSigner(PRIVATE_KEY);
    const signature = sign('a.5.{}').slice('v1a,'.length);
    expect(verifies(publicKey!, 'a.5.{}', signature)).toBe(true);
    expect(verifies(publicKey!, 'a.5.{ }', signature)).toBe(false);
  });

  test('behavior: a private key with its public key after it is the same key', () => {
    const { publicKey } = createSigner(PRIVATE_KEY);
    const both = Buffer.concat([
      Buffer.alloc(32, 7),
      Buffer.from(publicKey!.slice('whpk_'.length), 'base64'),
    ]);
    const long = createSigner(`whsk_${both.toString('base64')}`);
    expect(long.publicKey).toBe(publicKey);
    expect(long.sign('a')).toBe(createSigner(PRIVATE_KEY).sign('a'));
  });
});
