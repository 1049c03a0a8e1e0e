import { type Address, encodeFunctionData } from 'viem';
import { encodeCall } from './abi.ts';
import type { DevChain } from './chain.ts';
import type { Deployment } from './deployment.ts';
import type { Scene } from './scene.ts';

const BULK_GAS = 40_000_000;

/** Grants minting rights, funds all accounts, and adds external deposits to the pools and a buffer to each vault. */
export function openAccounts(
  { chain, artifacts, cast }: Deployment,
  { tokens, families, extras }: Pick<Scene, 'tokens' | 'families' | 'extras'>,
): void {
  const { abi } = artifacts.BaseToken!;
  const operator = cast.operator.address;
  for (const [symbol, token] of tokens) {
    const users = families.filter((family) => family.token === token);
    const minters = users.flatMap(({ vault, pools }) => [
      vault,
      ...pools.map(({ venue }) => venue),
    ]);
    if (symbol === 'USDC' && extras) minters.push(extras.asyncVault, extras.plainVault);
    const run = (functionName: string, args: readonly unknown[]) =>
      chain.put({
        from: operator,
        to: token,
        data: encodeFunctionData({ abi, functionName, args }),
        gas: BULK_GAS,
      });
    run('setMinters', [minters]);
    if (users.length === 0) continue;
    const typical = users[0]!.typical;
    const everyone = [...cast.named, ...cast.crowd].map(({ address }) => address);
    for (let from = 0; from < everyone.length; from += 200) {
      run('mintMany', [everyone.slice(from, from + 200), typical * 4_000n]);
    }
    run('mint', [cast.treasury.address, typical * 100_000n]);
    for (const family of users) {
      if (family.chainPlan.role === 'settlement') run('mint', [family.vault, family.typical * 8n]);
      for (const { venue } of family.pools) {
        seedPool(chain, cast.treasury.address, token, venue, typical * 100n);
      }
    }
  }
  for (const family of families) {
    if (!family.master) continue;
    chain.put({
      from: operator,
      to: family.master.vault,
      data: encodeCall('setFeeExempt(address,bool)', [family.vault, true]),
    });
  }
}

function seedPool(
  chain: DevChain,
  from: Address,
  token: Address,
  venue: Address,
  amount: bigint,
): void {
  chain.put({
    from,
    to: token,
    data: encodeCall('approve(address,uint256)', [venue, amount]),
  });
  chain.put({
    from,
    to: venue,
    data: encodeCall('deposit(uint256,address)', [amount, from]),
  });
}
