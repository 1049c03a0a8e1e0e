import type { OpenApi, Operation } from '../openapiDocument.ts';
import type { Route } from '../route.ts';

/** A page of the reference: the operations with one tag. */
export interface Group {
  /** The tag; in the URL. */
  readonly name: string;
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  readonly operations: readonly { readonly path: string; readonly get: Operation }[];
}

const TITLES: Readonly<Record<Route['tag'], string>> = {
  vaults: 'Vaults',
  history: 'History',
  events: 'Events',
  export: 'Export',
  wallets: 'Wallets',
  risk: 'Risk',
  service: 'Service',
  previous: 'Legacy API',
};

/** Returns the pages of the reference, in the order of the document. */
export function groupsOf({ tags, paths }: OpenApi): Group[] {
  const operations = Object.entries(paths).map(([path, { get }]) => ({ path, get }));
  return tags
    .map(({ name, description }) => ({
      name,
      title: TITLES[name as Route['tag']],
      description,
      operations: operations.filter(({ get }) => get.tags.includes(name)),
    }))
    .filter((group) => group.operations.length > 0);
}
