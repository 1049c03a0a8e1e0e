// The thread that runs PGlite: it sends it one request after the other in PostgreSQL's protocol, and returns text. It
// is plain JavaScript, because Node loads a worker's file as it is, from src/ and dist/ alike.
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, protocol } from '@electric-sql/pglite';

const { serialize } = protocol;

// PGlite reserves memory for a hundred clients and 128 MB of buffers. It has one client, and the system caches its
// files. This halves its memory.
const SETTINGS = [
  'shared_buffers=32MB',
  'max_connections=5',
  'wal_buffers=1MB',
  'min_wal_size=32MB',
  'max_wal_size=64MB',
  'jit=off',
];

/** @type {Map<string, { name: string, oid: number }[]>} */
const prepared = new Map();

const db = await PGlite.create({
  dataDir: workerData.folder,
  startParams: [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ['-c', setting])],
});
db.onNotification((channel, payload) => parentPort.postMessage({ channel, payload }));

parentPort.on('message', handle);
parentPort.postMessage({ ready: true });

/** @type {Promise<unknown>} */
let last = Promise.resolve();

function handle(request) {
  last = last.then(() => answer(request));
}

async function answer({ id, kind, name, text, params }) {
  if (kind === 'close') {
    await db.close();
    parentPort.postMessage({ id });
    parentPort.close();
    return;
  }
  const messages =
    kind === 'exec' ? await send([serialize.query(text)]) : await run(name, text, params);
  parentPort.postMessage(digest(id, name, messages));
}

async function run(name, text, params) {
  const parts = [];
  if (!prepared.has(name)) {
    parts.push(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }));
  }
  parts.push(serialize.bind({ statement: name, values: params }), serialize.execute({}));
  const messages = await send([...parts, serialize.sync()]);
  if (messages.some((message) => message.name === 'parseComplete')) {
    prepared.set(name, fieldsOf(messages));
  }
  return messages;
}

async function send(parts) {
  const messages = await db.execProtocolStream(Buffer.concat(parts), { throwOnError: false });
  if (messages.at(-1)?.name === 'readyForQuery') return messages;
  // PGlite swallows a crash of its own code; the only sign is a response without its end. Any further request would
  // hang.
  const panic = messages.findLast((message) => message.name === 'error');
  parentPort.postMessage({ crashed: panic?.code ?? '' });
  throw new Error('PGlite stopped answering');
}

/** One response: fields, values row by row, the last command's tag, or the error. */
function digest(id, name, messages) {
  let fields = prepared.get(name) ?? [];
  let values = [];
  let tag;
  for (const message of messages) {
    if (message.name === 'error') {
      const { code, message: text, constraint } = message;
      return { id, error: { code, message: text, constraint } };
    }
    if (message.name === 'rowDescription') {
      fields = fieldsOf([message]);
      values = [];
    }
    if (message.name === 'dataRow') for (const value of message.fields) values.push(value);
    if (message.name === 'commandComplete') tag = message.text;
  }
  return { id, fields, values, tag };
}

function fieldsOf(messages) {
  const description = messages.find((message) => message.name === 'rowDescription');
  return (description?.fields ?? []).map((field) => ({ name: field.name, oid: field.dataTypeID }));
}
