import { type Address, encodeFunctionData, type Hex, parseAbi, parseSignature, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, test } from 'vitest';
import { MULTICALL, STABLECOIN } from './plan.ts';
import { balanceOf } from './read.ts';
import { buildSmallWorld, type World } from './world.ts';

const TOKEN = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
]);
const FIELDS = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const;
const DOMAIN = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: STABLECOIN };
const FAR = 4_000_000_000n;

describe('Stablecoin', () => {
  let world: World;
  let nonces = 0;
  beforeAll(async () => {
    world = await buildSmallWorld({ seed: 'stablecoin', chainIds: [8453], blocksPerChain: 24 });
  });

  const nonce = () => toHex(++nonces, { size: 32 });
  const chain = () => world.chain(8453).chain;
  const payer = () => privateKeyToAccount(world.wallets[0]!.privateKey);

  async function authorize(
    type: 'TransferWithAuthorization' | 'ReceiveWithAuthorization',
    {
      to,
      from = payer().address,
      validBefore = FAR,
      key = payer(),
    }: {
      to: Address;
      from?: Address;
      validBefore?: bigint;
      key?: ReturnType<typeof payer>;
    },
  ) {
    const message = { from, to, value: 25n, validAfter: 0n, validBefore, nonce: nonce() };
    const signature = await key.signTypedData({
      domain: DOMAIN,
      types: { [type]: FIELDS } as Record<string, typeof FIELDS>,
      primaryType: type,
      message,
    });
    const args = [from, to, 25n, 0n, validBefore, message.nonce] as const;
    return { args, signature, nonce: message.nonce };
  }

  async function send(from: Address, data: Hex): Promise<boolean> {
    const hash = await chain().send({ from, to: STABLECOIN, data });
    await chain().mine(chain().tip.time);
    const receipt = await chain().rpc<{ status: Hex }>('eth_getTransactionReceipt', [hash]);
    return receipt.status === '0x1';
  }

  async function isUsed(authorizer: Address, id: Hex): Promise<boolean> {
    const data = encodeFunctionData({
      abi: TOKEN,
      functionName: 'authorizationState',
      args: [authorizer, id],
    });
    return BigInt(await chain().call(STABLECOIN, data)) === 1n;
  }

  const split = (signature: Hex) => {
    const { r, s, v } = parseSignature(signature);
    return [Number(v), r, s] as const;
  };

  test.each(['v, r, s', 'bytes'])('default: transferWithAuthorization, %s', async (form) => {
    const to = world.payTo.address;
    const { args, signature, nonce: id } = await authorize('TransferWithAuthorization', { to });
    const data = encodeFunctionData({
      abi: TOKEN,
      functionName: 'transferWithAuthorization',
      args: form === 'bytes' ? [...args, signature] : [...args, ...split(signature)],
    });
    const before = await balanceOf(chain(), STABLECOIN, to);
    expect(await send(world.operator.address, data)).toBe(true);
    expect(await balanceOf(chain(), STABLECOIN, to)).toBe(before + 25n);
    expect(await isUsed(payer().address, id)).toBe(true);
    expect(await send(world.operator.address, data)).toBe(false);
  });

  test.each(['v, r, s', 'bytes'])(
    'behavior: only the payee may receiveWithAuthorization, %s',
    async (form) => {
      const to = world.wallets[1]!.address;
      const { args, signature } = await authorize('ReceiveWithAuthorization', { to });
      const data = encodeFunctionData({
        abi: TOKEN,
        functionName: 'receiveWithAuthorization',
        args: form === 'bytes' ? [...args, signature] : [...args, ...split(signature)],
      });
      expect(await send(world.operator.address, data)).toBe(false);
      expect(await send(to, data)).toBe(true);
    },
  );

  test.each(['v, r, s', 'bytes'])('behavior: cancelAuthorization, %s', async (form) => {
    const authorizer = payer().address;
    const to = world.payTo.address;
    const open = await authorize('TransferWithAuthorization', { to });
    const signature = await payer().signTypedData({
      domain: DOMAIN,
      types: {
        CancelAuthorization: [
          { name: 'authorizer', type: 'address' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'CancelAuthorization',
      message: { authorizer, nonce: open.nonce },
    });
    const cancel = encodeFunctionData({
      abi: TOKEN,
      functionName: 'cancelAuthorization',
      args:
        form === 'bytes'
          ? [authorizer, open.nonce, signature]
          : [authorizer, open.nonce, ...split(signature)],
    });
    expect(await send(world.operator.address, cancel)).toBe(true);
    const late = encodeFunctionData({
      abi: TOKEN,
      functionName: 'transferWithAuthorization',
      args: [...open.args, open.signature],
    });
    expect(await send(world.operator.address, late)).toBe(false);
  });

  test('behavior: a contract wallet signs by EIP-1271', async () => {
    const { contractWallet } = world.extras!;
    const give = encodeFunctionData({
      abi: parseAbi(['function mint(address to, uint256 amount)']),
      args: [contractWallet, 100n],
    });
    expect(await send(world.operator.address, give)).toBe(true);
    const to = world.payTo.address;
    const from = contractWallet;
    const good = await authorize('TransferWithAuthorization', { to, from });
    const stranger = privateKeyToAccount(world.wallets[1]!.privateKey);
    const bad = await authorize('TransferWithAuthorization', { to, from, key: stranger });
    const encode = ({ args, signature }: typeof good) =>
      encodeFunctionData({
        abi: TOKEN,
        functionName: 'transferWithAuthorization',
        args: [...args, signature],
      });
    expect(await send(world.operator.address, encode(bad))).toBe(false);
    expect(await send(world.operator.address, encode(good))).toBe(true);
  });

  test('error: expired, or signed by another', async () => {
    const to = world.payTo.address;
    const validBefore = BigInt(chain().tip.time);
    const expired = await authorize('TransferWithAuthorization', { to, validBefore });
    const key = privateKeyToAccount(world.wallets[1]!.privateKey);
    const forged = await authorize('TransferWithAuthorization', { to, key });
    for (const { args, signature } of [expired, forged]) {
      const data = encodeFunctionData({
        abi: TOKEN,
        functionName: 'transferWithAuthorization',
        args: [...args, signature],
      });
      expect(await send(world.operator.address, data)).toBe(false);
    }
  });

  test('behavior: the stablecoin and Multicall3 are at their well-known addresses from the first block', async () => {
    for (const address of [STABLECOIN, MULTICALL]) {
      expect((await chain().rpc<string>('eth_getCode', [address, '0x0'])).length).toBeGreaterThan(
        100,
      );
    }
  });
});
