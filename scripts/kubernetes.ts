import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Service } from 'kubernetes-models/v1/Service';

/** The kinds in deploy/kubernetes. Each class validates against the schema of its API version. */
const KINDS = { ConfigMap, Deployment, PodDisruptionBudget, Service };

/** An object of a manifest before validation. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly [key: string]: unknown;
}

/** Returns every mistake: what the schema of the kind rejects, and every unknown field. */
export function findManifestProblems(manifest: Manifest): string[] {
  const Kind = KINDS[manifest.kind as keyof typeof KINDS];
  if (Kind === undefined) return [`${manifest.kind} is not a kind that is used here`];
  if (Kind.apiVersion !== manifest.apiVersion) return [`${manifest.kind} is ${Kind.apiVersion}`];
  const read = new Set<string>();
  const problems: string[] = [];
  try {
    // Validates the manifest itself: a model would copy it, and thereby read all of its fields.
    Kind.prototype.validate.call(watch(manifest, '', read));
  } catch (error) {
    problems.push((error as Error).message);
  }
  return [...problems, ...pathsIn(manifest, '').filter((path) => !read.has(path))];
}

/** A validator reads each field of its schema, so a field that it never reads is unknown to it. */
function watch(value: unknown, path: string, read: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      const inner = Reflect.get(target, key) as unknown;
      if (typeof key !== 'string') return inner;
      read.add(join(path, key));
      return watch(inner, join(path, key), read);
    },
  });
}

function pathsIn(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    join(path, key),
    ...pathsIn(inner, join(path, key)),
  ]);
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
