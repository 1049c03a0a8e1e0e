import { randomBytes } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { usdText } from './budget.ts';

/** A payment that the user is asked to approve. */
export interface Asked {
  readonly url: string;
  /** Base units. */
  readonly amount: bigint;
  readonly payTo: string;
  readonly network: string;
}

/** The user's approval, as the client returns it. */
interface Agreed {
  readonly url: string;
  readonly amount: string;
}

/** The user must approve first; the client asks, and calls again. */
export class ApprovalNeeded extends Error {
  override readonly name = 'ApprovalNeeded';
  readonly result: InputRequiredResult;

  constructor(result: InputRequiredResult) {
    super('approval is needed');
    this.result = result;
  }
}

export class Declined extends Error {
  override readonly name = 'Declined';
}

const KEY = 'pay';
const TTL_SECONDS = 600;
const MAX_TEXT = 200;

/** Asks the user of an agent before money is spent, if the client supports it. */
export function createApprovals() {
  // Valid only for this process: an answer to a question of another process is ignored.
  const codec = createRequestStateCodec<Agreed>({ key: randomBytes(32), ttlSeconds: TTL_SECONDS });
  return { verify: codec.verify, canAsk, findAgreed, ask };

  /** Returns the amount that the user approved for this URL; undefined if the user was not asked. Throws Declined. */
  function findAgreed({ mcpReq }: ServerContext, url: string): bigint | undefined {
    const agreed = mcpReq.requestState<Agreed | undefined>();
    const response = inputResponse(mcpReq.inputResponses, KEY);
    if (agreed?.url !== url || response.kind !== 'elicit') return undefined;
    const isYes = response.action === 'accept' && response.content?.[KEY] === true;
    if (!isYes) throw new Declined('nothing was paid: the user declined');
    return BigInt(agreed.amount);
  }

  /** Throws ApprovalNeeded with the question. */
  async function ask(context: ServerContext, what: string, asked: Asked): Promise<never> {
    const { url, amount, payTo, network } = asked;
    const requestState = await codec.mint({ url, amount: String(amount) }, context);
    const shown = what.length > MAX_TEXT ? `${what.slice(0, MAX_TEXT)}…` : what;
    const question = inputRequired.elicit({
      message: `Pay ${usdText(amount)} USD to ${payTo} on ${network} for ${shown}?`,
      requestedSchema: {
        type: 'object',
        properties: { [KEY]: { type: 'boolean', title: `Pay ${usdText(amount)} USD` } },
        required: [KEY],
      },
    });
    throw new ApprovalNeeded(inputRequired({ inputRequests: { [KEY]: question }, requestState }));
  }
}

export type Approvals = ReturnType<typeof createApprovals>;

/** Returns whether the client can show a form. Over HTTP without sessions, clients of 2025 do not report it. */
function canAsk({ server }: McpServer, { mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const { elicitation } = (declared ?? {}) as { elicitation?: object };
  return elicitation !== undefined && ('form' in elicitation || !('url' in elicitation));
}
