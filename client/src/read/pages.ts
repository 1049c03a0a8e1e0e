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

/** What to walk through; the cursor is the client's business. */
export type VaultsAsked = Omit<ListVaultsParameters, 'cursor'> & CallOptions;
export type StatusAsked = Omit<GetStatusParameters, 'cursor'> & CallOptions;

/** One page, and the cursor of the next; null on the last. */
export interface Paged<Answer> {
  readonly answer: Answer;
  readonly nextCursor: string | null;
}

/** A page of vault families. */
export function getVaultsPage<const Asked extends ListVaultsParameters & CallOptions>(
  client: Client,
  asked: Asked,
): Promise<Paged<WithAmounts<Asked, readonly ListedVault[], readonly ListedVault<bigint>[]>>> {
  return pageOf(listVaults, client, asked);
}

/** A page of the status: every chain and feed, and the families of the page. */
export function getStatusPage<const Asked extends GetStatusParameters & CallOptions>(
  client: Client,
  asked: Asked,
): Promise<Paged<WithAmounts<Asked, Status, Status<bigint>>>> {
  return pageOf(getStatus, client, asked);
}

/** Page after page of vault families, in the order of the server's configuration. */
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

/** Every vault family, however many pages the server makes of them. */
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

/** The status with every family, however many pages the server makes of them; chains are as on the first page. */
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

/** An action as it is inside: it also tells of the next page. */
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
