import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';

/** A message as Standard Webhooks signs it. */
export interface SignedMessage {
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** Signs with one key: the version of the signature, a comma, and the signature in base64. */
export interface Signer {
  sign(content: string): string;
  /** What the receiver verifies with, as `whpk_…`; absent for a shared secret. */
  readonly publicKey?: string;
}

const SECRET_PREFIX = 'whsec_';
const PRIVATE_KEY_PREFIX = 'whsk_';
const PUBLIC_KEY_PREFIX = 'whpk_';
const SEED_BYTES = 32;
/** What precedes the seed of an ed25519 key in PKCS #8. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Returns the headers of a message. Each key adds a signature, so receivers can change keys one after another. */
export function signedHeaders(signers: readonly Signer[], { id, timestamp, body }: SignedMessage) {
  const content = `${id}.${timestamp}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signers.map((signer) => signer.sign(content)).join(' '),
  };
}

/** Creates a signer from `whsec_…` (HMAC) or `whsk_…` (ed25519), as the configuration schema accepts them. */
export function createSigner(key: string): Signer {
  if (key.startsWith(SECRET_PREFIX)) return hmacSigner(bytesAfter(SECRET_PREFIX, key));
  return ed25519Signer(bytesAfter(PRIVATE_KEY_PREFIX, key));
}

function hmacSigner(secret: Buffer): Signer {
  return {
    sign: (content) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`,
  };
}

/** Some tools append the public key to the seed; only the seed is used. */
function ed25519Signer(bytes: Buffer): Signer {
  const der = Buffer.concat([PKCS8_PREFIX, bytes.subarray(0, SEED_BYTES)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return {
    sign: (content) => `v1a,${sign(null, Buffer.from(content), key).toString('base64')}`,
    publicKey: publicKeyOf(key),
  };
}

function publicKeyOf(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return PUBLIC_KEY_PREFIX + Buffer.from(x!, 'base64url').toString('base64');
}

function bytesAfter(prefix: string, key: string): Buffer {
  return Buffer.from(key.slice(prefix.length), 'base64');
}
