import { fileURLToPath } from 'node:url';
import {
  createWalletClient,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  http,
  parseAbi,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { compileFolder, deriveWallet } from '../../../devnet/src/index.ts';
import { type Address, type Hex, lower } from '../../src/domain/hex.ts';
import type { SignedAuthorization } from '../../src/payments/authorization/payment.ts';
import { PRICE, type TokenChain } from '../tokenChain.ts';

const SOURCES = fileURLToPath(new URL('./', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../devnet/dist/hostile.json', import.meta.url));
const TOKEN = parseAbi([
  'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
]);
/** A signature for the hostile wallets, which accept any bytes; it is not a valid signature of a plain key. */
const SIGNATURE: Hex = '0x1234';

export type HostileWallet = 'SeesPrice' | 'SeesGas' | 'Turned' | 'Costly' | 'Harmless';

/** Payers that try to make the server pay gas without being paid. */
export interface Hostile {
  /** Deploys a contract wallet and funds it. */
  deploy(name: HostileWallet, ...args: readonly unknown[]): Promise<Address>;
  /** Funds a plain account and gives it the code of a contract wallet (EIP-7702). The chain must support Prague. */
  delegate(key: Hex, to: Address): Promise<void>;
  /** Switches a `Turned` wallet with the next block, ahead of every transaction that enters the pool from now on. */
  turn(wallet: Address, on: boolean): Promise<void>;
  /** Returns the number of transactions in the pool. */
  waiting(): Promise<number>;
  /** Sends a payment that another client signed, as any observer can. */
  bringOnChain(payment: SignedAuthorization): Promise<void>;
  factory(): Promise<Address>;
  /** Pays from a funded wallet that the factory would have to deploy first (EIP-6492). */
  payUndeployed(factory: Address): Promise<SignedAuthorization>;
  /** Pays from a contract wallet. */
  pay(from: Address, value?: bigint): SignedAuthorization;
  /** Returns the gas of the facilitator keys' failed transactions since a block. */
  gasLost(fromBlock: number): Promise<bigint>;
}

export async function createHostile(chain: TokenChain): Promise<Hostile> {
  const artifacts = await compileFolder(SOURCES, CACHE);
  const helper = privateKeyToAccount(deriveWallet('hostile', 'helper').privateKey);
  const transport = http(chain.url);
  const client = createWalletClient({ account: helper, chain: base, transport });
  const value = 10n ** 18n;
  await chain.chain.exclusive(async () => {
    await chain.chain.send({ from: chain.operator, to: helper.address, value });
    await chain.chain.mine(chain.now());
  });
  return {
    deploy,
    delegate,
    turn,
    waiting,
    bringOnChain,
    factory,
    payUndeployed,
    pay,
    gasLost,
  };

  async function create(name: string, args: readonly unknown[] = []): Promise<Address> {
    const { abi, bytecode } = artifacts[name]!;
    const data = encodeDeployData({ abi, bytecode, args });
    return lower((await chain.send(undefined, data)).contractAddress);
  }

  async function deploy(name: HostileWallet, ...args: readonly unknown[]): Promise<Address> {
    const wallet = await create(name, args);
    await chain.mint(wallet, 100n * PRICE);
    return wallet;
  }

  async function delegate(key: Hex, to: Address): Promise<void> {
    const account = privateKeyToAccount(key);
    const nonce = Number(
      await chain.chain.rpc<Hex>('eth_getTransactionCount', [account.address, 'latest']),
    );
    const authorization = await account.signAuthorization({ address: to, chainId: 8453, nonce });
    await client.sendTransaction({
      to: helper.address,
      authorizationList: [authorization],
      gas: 100_000n,
    });
    await chain.mint(lower(account.address), 100n * PRICE);
  }

  async function turn(wallet: Address, on: boolean): Promise<void> {
    const { abi } = artifacts.Turned!;
    const data = encodeFunctionData({ abi, functionName: 'turn', args: [on] });
    await chain.chain.send({ from: chain.operator, to: wallet, data });
  }

  async function waiting(): Promise<number> {
    const { transactions } = await chain.chain.rpc<{ transactions: unknown[] }>(
      'eth_getBlockByNumber',
      ['pending', false],
    );
    return transactions.length;
  }

  async function bringOnChain({ authorization, signature }: SignedAuthorization): Promise<void> {
    const { from, to, value: paid, validAfter, validBefore, nonce } = authorization;
    const args = [from, to, paid, validAfter, validBefore, nonce, signature] as const;
    const functionName = 'transferWithAuthorization';
    const data = encodeFunctionData({ abi: TOKEN, functionName, args });
    const { status } = await chain.send(chain.terms.asset, data);
    if (status !== '0x1') throw new Error('the token did not take it');
  }

  function factory(): Promise<Address> {
    return create('BurningFactory');
  }

  async function payUndeployed(maker: Address): Promise<SignedAuthorization> {
    const { abi } = artifacts.BurningFactory!;
    const salt = chain.pay().authorization.nonce;
    const call = (functionName: string) => encodeFunctionData({ abi, functionName, args: [salt] });
    const result = await chain.chain.call(maker, call('addressOf'));
    const from = decodeFunctionResult({ abi, functionName: 'addressOf', data: result }) as Address;
    await chain.mint(lower(from), 100n * PRICE);
    const types = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const;
    const wrapped = encodeAbiParameters(types, [maker, call('make'), SIGNATURE]);
    return { ...pay(lower(from)), signature: `${wrapped}${'6492'.repeat(16)}` };
  }

  function pay(from: Address, price = PRICE): SignedAuthorization {
    return { ...chain.pay({ from, value: price }), signature: SIGNATURE };
  }

  async function gasLost(fromBlock: number): Promise<bigint> {
    const senders = new Set(chain.keys.map((key) => lower(privateKeyToAccount(key).address)));
    let lost = 0n;
    for (let block = fromBlock; block <= chain.chain.tip.number; block++) {
      const { transactions } = await chain.chain.rpc<{ transactions: Hex[] }>(
        'eth_getBlockByNumber',
        [`0x${block.toString(16)}`, false],
      );
      for (const hash of transactions) {
        const { from, status, gasUsed } = await chain.chain.rpc<{
          from: Hex;
          status: Hex;
          gasUsed: Hex;
        }>('eth_getTransactionReceipt', [hash]);
        if (status === '0x0' && senders.has(lower(from))) lost += BigInt(gasUsed);
      }
    }
    return lost;
  }
}
