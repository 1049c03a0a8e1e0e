import { text } from 'node:stream/consumers';
import { privateKeyToAccount } from 'viem/accounts';
import { createRandom } from '../../devnet/src/random.ts';
import { type Child, startNode } from '../../server/test/childProcess.ts';
import type { TokenChain } from '../../server/test/tokenChain.ts';
import { type AuthorizationTypedData, createPayer } from '../src/index.ts';
import { createFileStore } from '../src/node/index.ts';
import type { Want, WantLine, WantsOptions } from './children/buyWants.ts';
import { AFTER_PAYMENT, BEFORE_PAYMENT, honestMode, type Mode } from './hostileModes.ts';
import { PRICE, type Received, type Sale, startHostileSeller } from './hostileSeller.ts';
import { type LocalServer, sendJson, startLocalServer } from './localServer.ts';

export interface SequenceOptions {
  readonly seed: string;
  readonly chain: TokenChain;
  /** The bundled `children/buyWants.ts`. */
  readonly program: string;
  readonly folder: string;
  /** The buyers store no spend. */
  readonly forgets?: boolean;
}

/** The result of a sequence of calls and kills. */
export interface SequenceEnd {
  /** Descriptions of violated rules; empty if there are none. */
  readonly violations: readonly string[];
  readonly kills: number;
  readonly had: number;
  readonly charges: number;
  readonly modes: ReadonlySet<string>;
}

type Random = ReturnType<typeof createRandom>;

const PER_CALL = 60_000n;
const TOTAL = 200_000n;
/** Cap for the two responses that are bought by POST. */
const ROUTE_TOTAL = 110_000n;
/** Events of one purchase, counting start and end. */
const EVENTS = 24;

/** Buys three responses from a hostile seller in several processes, some concurrent, that are killed at random. */
export async function runSequence(options: SequenceOptions): Promise<SequenceEnd> {
  const { seed, chain, folder } = options;
  const random = createRandom(seed);
  const modes = new Set<string>();
  const turns = new Map<string, number>();
  const cash = () => seller.cash(createPicker(seller.taken));
  /** Not in the allow list. */
  const elsewhere = await startLocalServer((_, response) => void response.writeHead(200).end('{}'));
  const seller = await startHostileSeller(chain, (sale) => {
    const key = `${sale.request.headers['x-want']} ${sale.payment !== undefined}`;
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    const [name, mode] = drawMode(createRandom(`${seed} ${key} ${turn}`), sale);
    modes.add(name);
    sale.request.resume();
    return mode(sale, { chain, cash, elsewhere: elsewhere.url });
  });
  const wallet = await startWallet(chain);
  const wants: readonly Want[] = [
    { name: 'a', url: `${seller.url}/grade/a?of=1`, maxAmount: `${PER_CALL}` },
    { name: 'b', url: `${seller.url}/grade/b`, body: '{"of":1}', maxAmount: `${PER_CALL}` },
    { name: 'c', url: `${seller.url}/grade/b`, body: '{"of":2}', maxAmount: `${PRICE + 3n}` },
  ];
  const common = {
    folder,
    wallet: { address: wallet.address, rpc: wallet.url },
    policy: policyOf(chain, seller.host),
    forgets: options.forgets ?? false,
    ...(random.int(2) === 0 && { rpc: chain.url }),
  };
  const had = new Set<string>();
  /** Allowed number of payments for each response. */
  const allowed = new Map(wants.map(({ name }) => [name, 1]));
  const open = new Map<string, string>();
  let kills = 0;
  let ahead = 0;
  const lives = 3 + random.int(3);
  for (let life = 0; life < lives; life++) {
    const left = wants.filter(({ name }) => !had.has(name));
    if (left.length === 0) break;
    // Signatures last 60 seconds: by the buyer's clock some expire while the chain still accepts them.
    ahead += random.int(3) === 0 ? 70 : 0;
    const processes = random.int(3) === 0 ? 2 : 1;
    const asked = processes === 1 ? left.map((want) => forced(want)) : left;
    const children = Array.from({ length: processes }, () =>
      start(options.program, {
        ...common,
        wants: asked,
        ahead,
        retries: random.int(2),
        together: random.int(2) === 0,
        review: left[0]!.name === 'a' && random.int(4) === 0,
        ...(random.int(4) > 0 && {
          dieAt: 1 + random.int(EVENTS * left.length),
          dieLater: random.int(2) === 0 ? 0 : 1 + random.int(40),
        }),
      }),
    );
    const outputs = await Promise.all(children.map(linesOf));
    for (const { name, had: isHad, paymentId } of outputs.flat()) {
      if (isHad) had.add(name);
      if (paymentId !== undefined) open.set(name, paymentId);
    }
    // A concurrent call for a response that another call got also counts as a purchase.
    for (const { name } of left) {
      if (had.has(name)) allowed.set(name, allowed.get(name)! + processes - 1);
    }
    for (const child of children) if ((await child.exit) === null) kills++;
    if (random.int(3) === 0) await cash();
  }
  const violations = await findViolations();
  await Promise.all([seller.close(), elsewhere.close(), wallet.close()]);
  return { violations: violations.found, kills, had: had.size, charges: violations.charges, modes };

  /** Sometimes the caller pays again despite an open payment. */
  function forced(want: Want): Want {
    const replaces = open.get(want.name);
    if (replaces === undefined || random.int(6) > 0) return want;
    allowed.set(want.name, allowed.get(want.name)! + 1);
    return { ...want, replaces };
  }

  async function findViolations() {
    const found = wallet.signed.flatMap((typed) => wrongIn(typed, chain));
    for (const { authorization, want } of seller.payments) {
      const { value } = authorization;
      const cap = BigInt(wants.find(({ name }) => name === want)!.maxAmount);
      if (BigInt(value) > cap) found.push(`${value} for ${want}, which may cost ${cap}`);
    }
    if (elsewhere.requests.length > 0) found.push('sent elsewhere');
    await cash();
    const charged = new Map<string, { count: number; amount: bigint }>();
    for (const { authorization, want } of seller.taken) {
      const { count, amount } = charged.get(want!) ?? { count: 0, amount: 0n };
      charged.set(want!, { count: count + 1, amount: amount + BigInt(authorization.value) });
    }
    for (const [name, { count }] of charged) {
      const most = allowed.get(name)!;
      if (count > most) found.push(`${name} was charged ${count} times, and ${most} are allowed`);
    }
    const sum = (names: readonly string[]) =>
      names.reduce((all, name) => all + (charged.get(name)?.amount ?? 0n), 0n);
    const paid = sum(['a', 'b', 'c']);
    if (paid > TOTAL) found.push(`${paid} were charged of ${TOTAL}`);
    if (sum(['b', 'c']) > ROUTE_TOTAL) found.push('more than the policy allows for a route');
    const { spent, reserved } = await createPayer({
      signer: { address: wallet.address, signTypedData: () => Promise.reject() },
      budget: { perCall: 0n, total: 0n },
      allow: { networks: [], assets: [], recipients: [], hosts: [], allowLoopback: true },
      store: createFileStore(folder),
    }).report();
    if (paid > spent + reserved) found.push(`${paid} were charged, ${spent + reserved} counted`);
    const charges = [...charged.values()].reduce((all, { count }) => all + count, 0);
    return { found, charges };
  }
}

function drawMode(random: Random, { payment }: Sale): [string, Mode] {
  // Otherwise a sequence rarely completes.
  if (random.int(4) === 0) return ['honest', honestMode];
  // Mostly honest before a payment, so that there is a payment to misuse.
  if (!payment && random.int(4) > 0) return ['honest', honestMode];
  const modes = Object.entries(payment ? AFTER_PAYMENT : BEFORE_PAYMENT);
  return modes[random.int(modes.length)]!;
}

function policyOf({ terms }: TokenChain, host: string): object {
  return {
    networks: [`eip155:${terms.chainId}`],
    assets: [terms.asset],
    recipients: [terms.payTo],
    hosts: [host],
    perCall: `${PER_CALL}`,
    total: `${TOTAL}`,
    limits: [{ path: '/grade/b*', total: `${ROUTE_TOTAL}` }],
  };
}

interface Wallet extends LocalServer {
  readonly address: string;
  /** Every signed message, also those that a killed process did not send. */
  readonly signed: readonly AuthorizationTypedData[];
}

/** Starts a wallet with the first payer's key. A buyer without the key's code starts in half the time. */
async function startWallet({ payers }: TokenChain): Promise<Wallet> {
  const account = privateKeyToAccount(payers[0]!.privateKey);
  const signed: AuthorizationTypedData[] = [];
  const server = await startLocalServer(async (request, response) => {
    const { id, params } = JSON.parse(await text(request));
    const typed = JSON.parse(params[1]);
    signed.push(typed);
    sendJson(response, { jsonrpc: '2.0', id, result: await account.signTypedData(typed) });
  });
  return { ...server, address: account.address, signed };
}

/** Returns what must not be signed in any sequence. */
function wrongIn(typed: AuthorizationTypedData, { terms, payers }: TokenChain): string[] {
  const { domain, primaryType, message } = typed;
  const found: string[] = [];
  if (primaryType !== 'TransferWithAuthorization') found.push(`signed a ${primaryType}`);
  if (domain.verifyingContract.toLowerCase() !== terms.asset) found.push('signed for a token');
  if (Number(domain.chainId) !== terms.chainId) found.push(`signed for ${domain.chainId}`);
  if (message.to.toLowerCase() !== terms.payTo) found.push(`signed for ${message.to}`);
  if (message.from.toLowerCase() !== payers[0]!.address.toLowerCase()) {
    found.push(`signed for a payment by ${message.from}`);
  }
  if (BigInt(message.value) > PER_CALL) found.push(`signed for ${message.value}`);
  return found;
}

function start(program: string, options: WantsOptions): Child {
  return startNode(program, JSON.stringify(options));
}

async function linesOf(child: Child): Promise<readonly WantLine[]> {
  const lines: WantLine[] = [];
  for (let line = await child.nextLine(); line !== undefined; line = await child.nextLine()) {
    lines.push(JSON.parse(line) as WantLine);
  }
  const code = await child.exit;
  if (code !== 0 && code !== null) throw new Error(child.errors());
  return lines;
}

/** Picks each signature once, and none with a nonce that the chain has accepted. */
function createPicker(taken: readonly Received[]) {
  const seen = new Set<string>();
  return ({ signature, authorization: { nonce } }: Received) => {
    if (seen.has(signature) || taken.some(({ authorization }) => authorization.nonce === nonce)) {
      return false;
    }
    seen.add(signature);
    return true;
  };
}
