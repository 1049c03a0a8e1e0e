// Serves the events of a store, or indexes chains into it, until it is killed: `serve` or `index`, and a file with the store
// and the configuration. Prints the URL that it serves. Errors go to stderr.
import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { createIndexer } from '../../src/ingest/indexer.ts';
import { openStore } from '../../src/store/open.ts';
import type { EventProcessOptions } from '../eventProcess.ts';
import { startEventServer } from '../eventServer.ts';

const [role, file] = process.argv.slice(2);
const options = deserialize(readFileSync(file!)) as EventProcessOptions;
const { config } = options;
const store = await openStore(options.store);
if (role === 'serve') {
  const onError = (error: unknown) => console.error(error);
  const { url } = await startEventServer({ config, store, onError });
  console.log(url);
} else {
  const log = { info() {}, warn() {}, error() {} };
  const now = () => Math.floor(Date.now() / 1000);
  await createIndexer({ config, store, log, now }).run(new AbortController().signal);
}
