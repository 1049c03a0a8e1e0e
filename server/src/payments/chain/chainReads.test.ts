import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  parseAbi,
  serializeErc6492Signature,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, test } from 'vitest';
import { createFaultyRpc } from '../../../test/faultyRpc.ts';
import { useResource, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { type Address, type Hex, lower } from '../../domain/hex.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';
import { createEmbeddedFacilitator } from '../facilitator/embedded.ts';
import { createPaymentChain } from './chainReads.ts';
import { createNodes, NodesUnavailable } from './nodes.ts';
import type { PaymentChain } from './paymentChain.ts';

const TOKEN = parseAbi([
  'function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)',
  'function cancelAuthorization(address, bytes32, bytes)',
]);
const MULTICALL = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'function aggregate3(Call[] calls)',
]);
/** A well-known factory whose contract addresses depend on code and salt. */
const FACTORY: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
const FACTORY_CODE: Hex =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3';
const SALT: Hex = `0x${'00'.repeat(32)}`;

describe('payment chain', () => {
  const world = useTokenChain();
  const nodes = useResource(() =>
    createNodes({ chainId: 8453, rpcUrls: [world.url], timeoutMs: 20_000 }),
  );
  let chain: PaymentChain;
  beforeAll(() => {
    chain = createPaymentChain({ nodes, terms: world.terms });
  });

  function transfer({ authorization, signature }: SignedAuthorization): Hex {
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const args = [from, to, value, validAfter, validBefore, nonce, signature] as const;
    return encodeFunctionData({ abi: TOKEN, functionName: 'transferWithAuthorization', args });
  }

  /** Uses several payments in one transaction, in order. */
  function together(payments: readonly SignedAuthorization[]): Promise<unknown> {
    const target = world.terms.asset;
    const calls = payments.map((one) => ({ target, allowFailure: false, callData: transfer(one) }));
    return world.send(world.multicall, encodeFunctionData({ abi: MULTICALL, args: [calls] }));
  }

  async function head(): Promise<number> {
    return (await world.chain.head()).number;
  }

  test('default: unused, then paid, regardless of the sender', async () => {
    const payment = world.pay();
    const from = await head();
    const { number, time } = await world.chain.head();
    expect(await chain.getOnChainStatus(payment.authorization, from)).toEqual({
      status: 'unused',
      at: { number, time },
    });
    await world.send(world.terms.asset, transfer(payment));
    const status = await chain.getOnChainStatus(payment.authorization, from);
    expect(status).toEqual({
      status: 'paid',
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      blockNumber: await head(),
    });
  });

  test('behavior: a cancelled authorization is void', async () => {
    const payment = world.pay();
    const from = await head();
    const { from: authorizer, nonce } = payment.authorization;
    const signature = await privateKeyToAccount(world.payers[0]!.privateKey).signTypedData({
      domain: {
        name: world.terms.assetName,
        version: world.terms.assetVersion,
        chainId: 8453,
        verifyingContract: world.terms.asset,
      },
      types: {
        CancelAuthorization: [
          { name: 'authorizer', type: 'address' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'CancelAuthorization',
      message: { authorizer, nonce },
    });
    const args = [authorizer, nonce, signature] as const;
    const data = encodeFunctionData({ abi: TOKEN, functionName: 'cancelAuthorization', args });
    expect(await world.send(world.terms.asset, data)).toMatchObject({ status: '0x1' });
    expect(await chain.getOnChainStatus(payment.authorization, from)).toEqual({ status: 'void' });
  });

  test('behavior: void if its nonce paid another recipient, even with another payment to this server', async () => {
    const ours = world.pay();
    const other = world.pay({ nonce: ours.authorization.nonce, to: lower(world.operator) });
    const companion = world.pay();
    const from = await head();
    await together([other, companion]);
    expect(await chain.getOnChainStatus(ours.authorization, from)).toEqual({ status: 'void' });
    expect(await chain.getOnChainStatus(companion.authorization, from)).toMatchObject({
      status: 'paid',
    });
  });

  test('behavior: void if its nonce was used for a smaller value', async () => {
    const ours = world.pay();
    const less = world.pay({ nonce: ours.authorization.nonce, value: PRICE - 1n });
    await together([less]);
    expect(await chain.getOnChainStatus(ours.authorization, 0)).toEqual({ status: 'void' });
  });

  test('behavior: void if used before `fromBlock`', async () => {
    const payment = world.pay();
    await together([payment]);
    await world.mine();
    await world.mine();
    expect(await chain.getOnChainStatus(payment.authorization, await head())).toEqual({
      status: 'void',
      earlier: true,
    });
  });

  test('behavior: works with narrow log ranges, and with an RPC endpoint that hides logs', async () => {
    const payment = world.pay();
    await together([payment]);
    for (let i = 0; i < 9; i++) await world.mine();
    const faulty = await createFaultyRpc({ target: world.url });
    const narrow = createNodes({ chainId: 8453, rpcUrls: [faulty.url], timeoutMs: 20_000 });
    const reads = createPaymentChain({ nodes: narrow, terms: world.terms });
    await faulty.mode({ kind: 'wideRange', provider: 'reth', maxBlocks: 3 });
    expect(await reads.getOnChainStatus(payment.authorization, 0)).toMatchObject({
      status: 'paid',
    });
    const asked = faulty.requests.filter(({ method }) => method === 'eth_getLogs');
    expect(asked.length).toBeGreaterThan(2);
    await faulty.mode({ kind: 'garbage', shape: 'nulls' }, { only: ['eth_getLogs'] });
    await expect(reads.getOnChainStatus(payment.authorization, 0)).rejects.toThrow(
      NodesUnavailable,
    );
    narrow.close();
    await faulty.close();
  });

  test('behavior: a lagging RPC endpoint cannot report "unused"', async () => {
    const faulty = await createFaultyRpc({ target: world.url });
    const lagging = createNodes({ chainId: 8453, rpcUrls: [faulty.url], timeoutMs: 20_000 });
    const reads = createPaymentChain({ nodes: lagging, terms: world.terms });
    const payment = world.pay();
    await together([payment]);
    await world.mine();
    expect((await reads.head()).number).toBe(await head());
    await faulty.mode({ kind: 'lag', blocks: 2 });
    await expect(reads.getOnChainStatus(payment.authorization, 0)).rejects.toThrow(
      NodesUnavailable,
    );
    await faulty.mode({ kind: 'none' });
    expect(await reads.getOnChainStatus(payment.authorization, 0)).toMatchObject({
      status: 'paid',
    });
    lagging.close();
    await faulty.close();
  });

  test('behavior: a head may go back by a block, an on-chain status may not', async () => {
    const faulty = await createFaultyRpc({ target: world.url });
    const jittery = createNodes({ chainId: 8453, rpcUrls: [faulty.url], timeoutMs: 20_000 });
    let now = 0;
    const reads = createPaymentChain({ nodes: jittery, terms: world.terms, now: () => now });
    await world.mine();
    const highest = await head();
    expect((await reads.head()).number).toBe(highest);
    await faulty.mode({ kind: 'lag', blocks: 1 });
    now += 2_000;
    expect((await reads.head()).number).toBe(highest - 1);
    const { authorization } = world.pay();
    await expect(reads.getOnChainStatus(authorization, 0)).rejects.toThrow(NodesUnavailable);
    // After a while the lower head counts as a reorg.
    now += 30_000;
    expect(await reads.getOnChainStatus(authorization, 0)).toMatchObject({ status: 'unused' });
    await faulty.mode({ kind: 'none' });
    jittery.close();
    await faulty.close();
  });

  test('behavior: a wallet that is not deployed yet can pay through an allowed factory only (EIP-6492)', async () => {
    await world.chain.rpc('hardhat_setCode', [FACTORY, FACTORY_CODE]);
    const [payer, stranger] = world.payers;
    const owner = encodeAbiParameters([{ type: 'address' }], [payer!.address]);
    const bytecode = concat([world.artifacts.ContractWallet!.bytecode, owner]);
    const wallet = { opcode: 'CREATE2', from: FACTORY, salt: SALT, bytecode } as const;
    const from = lower(getContractAddress(wallet));
    await world.mint(from, 10n * PRICE);
    const wrap = (payment: SignedAuthorization) => ({
      ...payment,
      signature: serializeErc6492Signature({
        address: FACTORY,
        data: concat([SALT, bytecode]),
        signature: payment.signature,
      }),
    });
    const factories = [FACTORY];
    const reads = createPaymentChain({ nodes, terms: world.terms, factories });
    const good = wrap(world.pay({ from }));
    const bad = wrap(world.pay({ from, key: stranger!.privateKey }));
    expect(await reads.isSignedByWallet(good)).toBe(true);
    expect(await reads.isSignedByWallet(bad)).toBe(false);
    expect(await chain.isSignedByWallet(good)).toBe(false);

    const settings = {
      nodes,
      terms: world.terms,
      privateKeys: world.keys.slice(0, 1),
      multicall: world.multicall,
      maxFeePerGas: 10n ** 12n,
    };
    const strict = createEmbeddedFacilitator(settings);
    expect(await strict.verify(good)).toEqual({ ok: false, code: 'invalid_signature' });
    expect(await strict.settle(good)).toEqual({ outcome: 'refused', code: 'invalid_signature' });
    const one = createEmbeddedFacilitator({ ...settings, factories });
    expect(await one.verify(bad)).toMatchObject({ ok: false });
    expect(await one.verify(good)).toEqual({ ok: true });
    expect(await one.settle(good)).toMatchObject({ outcome: 'settled' });
    expect(await chain.getOnChainStatus(good.authorization, 0)).toMatchObject({ status: 'paid' });
    // Once deployed, wrapped signatures are valid with any factory.
    const again = wrap(world.pay({ from }));
    expect(await chain.isSignedByWallet(again)).toBe(true);
    expect(await one.settle(again)).toMatchObject({ outcome: 'settled' });
    expect(await strict.settle(wrap(world.pay({ from })))).toMatchObject({ outcome: 'settled' });
    await one.close();
    await strict.close();
  });

  test('behavior: no signature is valid for an account without code', async () => {
    expect(await chain.isSignedByWallet(world.pay())).toBe(false);
    expect(await chain.isSignedByWallet({ ...world.pay(), signature: '0x' })).toBe(false);
  });

  test('error: no RPC endpoint responds', async () => {
    const dead = createNodes({ chainId: 8453, rpcUrls: ['http://127.0.0.1:9'], timeoutMs: 500 });
    const reads = createPaymentChain({ nodes: dead, terms: world.terms });
    await expect(reads.head()).rejects.toThrow(NodesUnavailable);
    await expect(reads.getOnChainStatus(world.pay().authorization, 0)).rejects.toThrow(
      NodesUnavailable,
    );
    await expect(reads.isSignedByWallet(world.pay())).rejects.toThrow(NodesUnavailable);
    dead.close();
  });
});
