import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { deriveWallet } from '../../../devnet/src/index.ts';
import { createTokenChain, type TokenChain } from '../../test/tokenChain.ts';
import { parseConfig } from '../config/load.ts';
import { type Address, lower } from '../domain/hex.ts';
import { checkChains } from './check.ts';

const PLAIN: Address = `0x${'a1'.repeat(20)}`;
const LARGE: Address = `0x${'a2'.repeat(20)}`;
const WALLET: Address = `0x${'a3'.repeat(20)}`;
const SAFE: Address = `0x${'a4'.repeat(20)}`;
/** A dollar token without authorizations, and a token with them that is not a known stablecoin. */
const SOURCE = `pragma solidity ^0.8.24;
contract Plain {
  string public constant name = "Plain Dollar";
  uint8 public constant decimals = 6;
}
contract Large {
  string public constant name = "Large";
  uint8 public constant decimals = 18;
  function authorizationState(address, bytes32) external pure returns (bool) {
    return false;
  }
}`;
const poor = deriveWallet('payments', 'poor');

let chain: TokenChain;
beforeAll(async () => {
  chain = await createTokenChain({ payers: 0 });
  const code = compile();
  await chain.chain.rpc('hardhat_setCode', [PLAIN, code.Plain]);
  await chain.chain.rpc('hardhat_setCode', [LARGE, code.Large]);
  await chain.chain.rpc('hardhat_setCode', [SAFE, code.Plain]);
});
afterAll(() => chain?.close());

/** Lines about payments of `assay check`. */
async function check(changes: object = {}, rpc: readonly string[] = [chain.url]) {
  const { chainId, asset, payTo } = chain.terms;
  const text = stringify({
    chains: [{ id: chainId, name: 'base', rpc }],
    families: [],
    payments: { chain: chainId, asset, payTo, facilitator: { keys: chain.keys }, ...changes },
  });
  const { lines, ok } = await checkChains(parseConfig({ file: 'assay.yaml', text, env: {} }));
  const failed = lines.filter((line) => !line.ok).map((line) => line.text);
  expect(ok).toBe(failed.length === 0);
  return {
    failed,
    warned: lines.filter(({ warning }) => warning).map((line) => line.text),
    passed: lines.filter((line) => line.ok && !line.warning).map((line) => line.text),
  };
}

describe('checkPayments', () => {
  test('default', async () => {
    const { failed, warned, passed } = await check();
    expect({ failed, warned }).toEqual({ failed: [], warned: [] });
    expect(passed).toContain('payments: USD Coin on chain 8453 accepts authorizations');
    expect(passed).toContain('payments: every key has a gas balance on chain 8453');
  });

  test.each([
    ['another name', { assetName: 'USDC' }, 'assetName "USDC" with assetVersion "2"'],
    ['another version', { assetVersion: '1' }, 'assetName "USD Coin" with assetVersion "1"'],
  ])('error: %s than that of the domain', async (_, changes, given) => {
    expect((await check(changes)).failed).toEqual([
      `payments.assetName: ${given} is not the EIP-712 domain of the asset (its DOMAIN_SEPARATOR differs), so every payment would be rejected as invalid_signature; set assetName: "USD Coin" and assetVersion: "2"`,
    ]);
  });

  test('error: an asset without code', async () => {
    expect((await check({ asset: WALLET })).failed).toEqual([
      `payments.asset: ${WALLET} on chain 8453 has no contract; correct the address, or payments.chain`,
    ]);
  });

  test('error: an asset without authorizations', async () => {
    const { failed, warned } = await check({ asset: PLAIN });
    expect(failed).toEqual([
      `payments.asset: ${PLAIN} on chain 8453 does not support authorizationState(address,bytes32), so it accepts no EIP-3009 authorizations; name an asset that does, such as USDC`,
    ]);
    expect(warned).toEqual([
      'payments.assetName: the asset does not support DOMAIN_SEPARATOR(), so assetName "USD Coin" with assetVersion "2" cannot be compared; make sure that both are those of its EIP-712 domain',
    ]);
  });

  test('error: other decimals', async () => {
    expect((await check({ asset: LARGE })).failed).toEqual([
      `payments.asset: ${LARGE} on chain 8453 has 18 decimals; name a stablecoin with 6 decimals, because prices use them`,
    ]);
  });

  test('error: paid to the zero address, or to the asset', async () => {
    expect((await check({ payTo: `0x${'0'.repeat(40)}` })).failed).toEqual([
      'payments.payTo: is the zero address; name one of your accounts',
    ]);
    expect((await check({ payTo: chain.terms.asset })).failed).toEqual([
      'payments.payTo: is the asset itself, where payments would be stuck; name one of your accounts',
    ]);
  });

  test('behavior: warns if the recipient is a contract', async () => {
    const { failed, warned } = await check({ payTo: SAFE });
    expect(failed).toEqual([]);
    expect(warned).toEqual([
      `payments.payTo: ${SAFE} is a contract on chain 8453; make sure that it can transfer what it receives`,
    ]);
  });

  test('error: a key without gas', async () => {
    const account = lower(poor.address);
    const keys = [chain.keys[0], poor.privateKey];
    expect((await check({ facilitator: { keys } })).failed).toEqual([
      `payments.facilitator.keys[1]: ${account} has no gas balance; send some of the chain's native coin to ${account} on chain 8453`,
    ]);
  });

  test('behavior: warns about a key that is low on gas', async () => {
    const keys = [chain.keys[0]];
    const lowBalanceGwei = Number.MAX_SAFE_INTEGER;
    await chain.chain.rpc('hardhat_setBalance', [poor.address, '0x1']);
    const { failed, warned } = await check({
      facilitator: { keys: [...keys, poor.privateKey], lowBalanceGwei: 1 },
    });
    await chain.chain.rpc('hardhat_setBalance', [poor.address, '0x0']);
    expect(failed).toEqual([]);
    expect(warned).toHaveLength(1);
    expect(warned[0]).toMatch(
      /^payments\.facilitator\.keys\[1\]: 0x[0-9a-f]{40} has a gas balance of 1 wei/,
    );
    expect((await check({ facilitator: { keys, lowBalanceGwei } })).failed).toEqual([]);
  });

  test('behavior: with a facilitator service, no keys are checked', async () => {
    const facilitator = { url: 'https://facilitator.example.com' };
    expect((await check({ facilitator })).failed).toEqual([]);
  });

  test('error: a chain that cannot be read', async () => {
    expect((await check({}, [])).failed).toEqual([
      'payments.chain: chain 8453 has no RPC URL; add one under chains: payments are verified and settled there',
    ]);
  });
});

function compile(): Record<'Plain' | 'Large', string> {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const input = {
    language: 'Solidity',
    sources: { 'Token.sol': { content: SOURCE } },
    settings: { outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } } },
  };
  const found = JSON.parse(solc.compile(JSON.stringify(input))).contracts['Token.sol'];
  const code = (contract: string) => `0x${found[contract].evm.deployedBytecode.object}`;
  return { Plain: code('Plain'), Large: code('Large') };
}
