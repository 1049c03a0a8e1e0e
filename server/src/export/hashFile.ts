import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** A complete file. */
export interface Written {
  readonly bytes: number;
  readonly sha256: string;
}

export async function hashFile(path: string): Promise<Written> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
