// Used as `node --import <this file>`. The conformance package imports `globSync`, which Node 20 lacks, and needs it
// only to test SDKs.
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) register(import.meta.url);

const OWN_FS = 'assay:fs';

export async function resolve(specifier, context, nextResolve) {
  if (specifier === 'fs' && context.parentURL?.includes('/conformance/')) {
    return { url: OWN_FS, shortCircuit: true };
  }
  return nextResolve(specifier, context);
}

export async function load(url, context, nextLoad) {
  if (url !== OWN_FS) return nextLoad(url, context);
  const source = "export * from 'node:fs'; export const globSync = undefined;";
  return { format: 'module', source, shortCircuit: true };
}
