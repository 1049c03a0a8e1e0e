import { fn } from '../chain/abi.ts';
import type { PaymentsConfig } from '../config/config.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../domain/hex.ts';
import { addressOf } from '../payments/authorization/curve.ts';
import { domainSeparator } from '../payments/authorization/digest.ts';
import {
  ask,
  decimalsIn,
  isContract,
  type Look,
  numberIn,
  textIn,
} from '../vaults/recognize/readContract.ts';
import { type CheckLine, fail, pass, warn } from './line.ts';

/** The decimals that prices use. */
const DECIMALS = 6;
const ASSET = 'payments.asset';
const PAY_TO = 'payments.payTo';

const decimals = fn('decimals()');
const name = fn('name()');
const version = fn('version()');
const authorizationState = fn('authorizationState(address,bytes32)');
const separator = fn('DOMAIN_SEPARATOR()');
const getEthBalance = fn('getEthBalance(address)');
const NO_NONCE: Hex = `0x${'00'.repeat(32)}`;

export function noChain({ chainId }: PaymentsConfig): CheckLine {
  const fix = 'add one under chains: payments are verified and settled there';
  return fail('payments.chain', `chain ${chainId} has no RPC URL`, fix);
}

/** Checks the asset and the recipient: all payments fail while one of them is wrong. */
export async function checkPayments(look: Look, payments: PaymentsConfig): Promise<CheckLine[]> {
  return [...(await checkAsset(look, payments)), ...(await checkPayTo(look, payments))];
}

async function checkAsset(look: Look, payments: PaymentsConfig): Promise<CheckLine[]> {
  const { asset, chainId, payTo } = payments;
  const place = `${asset} on chain ${chainId}`;
  if (!(await isContract(look, asset))) {
    return [fail(ASSET, `${place} has no contract`, 'correct the address, or payments.chain')];
  }
  const answers = await ask(look, asset, [
    ...[decimals(), authorizationState(payTo, NO_NONCE), separator(), name(), version()],
  ]);
  const [decimalsWord, stateWord, separatorWord, nameText, versionText] = answers;
  const lines: CheckLine[] = [];
  const has = decimalsIn(decimalsWord);
  if (has !== DECIMALS) {
    const reason = has === null ? 'does not support decimals()' : `has ${has} decimals`;
    const fix = `name a stablecoin with ${DECIMALS} decimals, because prices use them`;
    lines.push(fail(ASSET, `${place} ${reason}`, fix));
  }
  const state = numberIn(stateWord);
  if (state === null || state > 1n) {
    const reason = `${place} does not support authorizationState(address,bytes32), so it accepts no EIP-3009 authorizations`;
    lines.push(fail(ASSET, reason, 'name an asset that does, such as USDC'));
  }
  const own = { name: textIn(nameText), version: textIn(versionText) };
  const domain = checkDomain(payments, separatorWord ?? null, own);
  if (domain !== undefined) lines.push(domain);
  if (lines.length > 0) return lines;
  return [pass(`payments: ${own.name ?? asset} on chain ${chainId} accepts authorizations`)];
}

/** Signatures cover this domain: with another, every one of them is invalid. */
function checkDomain(
  payments: PaymentsConfig,
  separatorWord: Hex | null,
  own: { readonly name: string | null; readonly version: string | null },
): CheckLine | undefined {
  const { assetName, assetVersion } = payments;
  const key = 'payments.assetName';
  const given = `assetName ${JSON.stringify(assetName)} with assetVersion ${JSON.stringify(assetVersion)}`;
  if (separatorWord === null) {
    const reason = `the asset does not support DOMAIN_SEPARATOR(), so ${given} cannot be compared`;
    return warn(key, reason, 'make sure that both are those of its EIP-712 domain');
  }
  const isRight = (change: Partial<PaymentsConfig>) =>
    domainSeparator({ ...payments, ...change }) === separatorWord.slice(0, 66);
  if (isRight({})) return undefined;
  const reason = `${given} is not the EIP-712 domain of the asset (its DOMAIN_SEPARATOR differs), so every payment would be rejected as invalid_signature`;
  for (const name of new Set([own.name ?? assetName, assetName])) {
    for (const version of new Set([own.version ?? assetVersion, assetVersion, '1', '2'])) {
      if (!isRight({ assetName: name, assetVersion: version })) continue;
      const fix = `set assetName: ${JSON.stringify(name)} and assetVersion: ${JSON.stringify(version)}`;
      return fail(key, reason, fix);
    }
  }
  const called = own.name === null ? '' : ` (its own name is ${JSON.stringify(own.name)})`;
  return fail(key, reason, `correct both${called}, or payments.asset`);
}

async function checkPayTo(
  look: Look,
  { payTo, asset, chainId }: PaymentsConfig,
): Promise<CheckLine[]> {
  const fix = 'name one of your accounts';
  if (payTo === ZERO_ADDRESS) return [fail(PAY_TO, 'is the zero address', fix)];
  if (payTo === asset)
    return [fail(PAY_TO, 'is the asset itself, where payments would be stuck', fix)];
  if (!(await isContract(look, payTo))) return [];
  const reason = `${payTo} is a contract on chain ${chainId}`;
  return [warn(PAY_TO, reason, 'make sure that it can transfer what it receives')];
}

/** Checks the gas balance of the server's own keys, which changes with time. */
export async function checkKeys(
  look: Look,
  { facilitator, chainId }: PaymentsConfig,
  multicall: Address,
): Promise<CheckLine[]> {
  if (facilitator.kind === 'remote') return [];
  const accounts = facilitator.keys.map(addressOf);
  const answers = await ask(
    look,
    multicall,
    accounts.map((account) => getEthBalance(account)),
  );
  const lines = accounts.flatMap((account, i): CheckLine[] => {
    const key = `payments.facilitator.keys[${i}]`;
    const balance = numberIn(answers[i]);
    if (balance === null) {
      const reason = `the gas balance of ${account} cannot be read: there is no Multicall3 at ${multicall} on chain ${chainId}`;
      return [warn(key, reason, 'set multicall of that chain')];
    }
    const fix = `send some of the chain's native coin to ${account} on chain ${chainId}`;
    if (balance === 0n) return [fail(key, `${account} has no gas balance`, fix)];
    if (balance >= facilitator.lowBalance) return [];
    const reason = `${account} has a gas balance of ${balance} wei, less than payments.facilitator.lowBalanceGwei`;
    return [warn(key, reason, fix)];
  });
  if (lines.length > 0) return lines;
  return [pass(`payments: every key has a gas balance on chain ${chainId}`)];
}
