import type {
  GetStatusParameters,
  ListedVault,
  ListVaultsParameters,
  Status,
  StatusChain,
} from '../api/types.ts';
import type { CallOptions, OnNext, WithAmounts } from './action.ts';
import { getStatus, listVaults } from './actions.ts';
import type { Client } from './client.ts';

/** Parameters without the cursor, which the client handles. */
export type VaultsAsked = Omit<ListVaultsParameters, 'cursor'> & CallOptions;
export type StatusAsked = Omit<GetStatusParameters, 'cursor'> & CallOptions;

/** A page and the cursor of the next one; null on the last page. */
export interface Paged<Answer> {
  readonly answer: Answer;
  readonly nextCursor: string | null;
}

/** Returns a page of vault families.
 *
 * @example
 * const { answer, nextCursor } = await getVaultsPage(client, { limit: 2 });
 * console.log(answer.map(({ slug }) => slug), nextCursor);
 */
export function getVaultsPage<const Asked extends ListVaultsParameters & CallOptions>(
  client: Client,
  asked: Asked,
): Promise<Paged<WithAmounts<Asked, readonly ListedVault[], readonly ListedVault<bigint>[]>>> {
  return pageOf(listVaults, client, asked);
}

/** Returns a page of the status: all chains and feeds, and the families of the page.
 *
 * @example
 * const { answer, nextCursor } = await getStatusPage(client, { limit: 2 });
 * console.log(answer.chains.map(({ state }) => state), nextCursor);
 */
export function getStatusPage<const Asked extends GetStatusParameters & CallOptions>(
  client: Client,
  asked: Asked,
): Promise<Paged<WithAmounts<Asked, Status, Status<bigint>>>> {
  return pageOf(getStatus, client, asked);
}

/** Yields pages of vault families, in the order of the server's configuration.
 *
 * @example
 * for await (const page of vaultPages(client, { limit: 2 })) {
 *   console.log(page.map(({ slug }) => slug));
 * }
 */
export function vaultPages<const Asked extends VaultsAsked>(
  client: Client,
  asked: Asked,
): AsyncGenerator<
  WithAmounts<Asked, readonly ListedVault[], readonly ListedVault<bigint>[]>,
  void,
  undefined
> {
  return walk(listVaults, client, asked);
}

/** Returns all vault families. Reads as many pages as needed.
 *
 * @example
 * const vaults = await listAllVaults(client, { amounts: 'bigint' });
 * console.log(vaults.map(({ slug, stats }) => [slug, stats?.tvl]));
 */
export async function listAllVaults<const Asked extends VaultsAsked = object>(
  client: Client,
  asked?: Asked,
): Promise<WithAmounts<Asked, readonly ListedVault[], readonly ListedVault<bigint>[]>> {
  const all: ListedVault[] = [];
  for await (const page of vaultPages(client, (asked ?? {}) as VaultsAsked)) {
    all.push(...(page as readonly ListedVault[]));
  }
  return all as never;
}

/** Returns the status with all families. Reads as many pages as needed; the chain data is from the first page.
 *
 * @example
 * const { chains } = await getWholeStatus(client);
 * console.log(chains.map(({ families }) => families.length));
 */
export async function getWholeStatus<const Asked extends StatusAsked = object>(
  client: Client,
  asked?: Asked,
): Promise<WithAmounts<Asked, Status, Status<bigint>>> {
  let whole: Status | undefined;
  for await (const page of walk<Status>(getStatus, client, asked ?? {})) {
    whole = whole === undefined ? page : withFamilies(whole, page);
  }
  return whole as never;
}

function withFamilies(whole: Status, { chains }: Status): Status {
  const added = new Map(chains.map(({ chainId, families }) => [chainId, families]));
  const grown = whole.chains.map((chain): StatusChain => {
    return { ...chain, families: [...chain.families, ...(added.get(chain.chainId) ?? [])] };
  });
  return { ...whole, chains: grown };
}

/** An action with its internal parameter, which receives the cursor of the next page. */
type Inner = (client: Client, asked: object, onNext: OnNext) => Promise<unknown>;

async function pageOf<Answer>(action: unknown, client: Client, asked: object) {
  let nextCursor: string | null = null;
  const answer = await (action as Inner)(client, asked, (cursor) => {
    nextCursor = cursor;
  });
  return { answer, nextCursor } as Paged<Answer>;
}

async function* walk<Answer>(
  action: unknown,
  client: Client,
  asked: object,
): AsyncGenerator<Answer, void, undefined> {
  let cursor: string | null = null;
  do {
    const page: Paged<Answer> = await pageOf(action, client, {
      ...asked,
      ...(cursor !== null && { cursor }),
    });
    yield page.answer;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
