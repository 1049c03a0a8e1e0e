import { type AssayError, isAssayError } from '@assay/client';
import { OutputLost } from '../../cli/outputLost.ts';
import { PathError } from '../../terminal/select.ts';
import { timeText } from '../../terminal/times.ts';
import { EXIT } from './exitCodes.ts';
import { describeReadFailure, type ReadFailure, sanitizeServerText } from './failures.ts';
import { STABLECOINS, usdOf } from './stablecoins.ts';

/** Nothing was paid, for a reason on this side. */
export class NotPaid extends Error {
  override readonly name = 'NotPaid';
}

/** Returns undefined if neither the server nor the payment failed. */
export function describePaidFailure(error: unknown, serverUrl: string): ReadFailure | undefined {
  if (error instanceof NotPaid) return notPaid(error.message);
  if (error instanceof PathError) {
    return { text: `--select: ${sanitizeServerText(error.message)}`, exitCode: EXIT.usage };
  }
  if (error instanceof OutputLost) return unknownOutcome(`${error.message}; ${RUN_AGAIN}`);
  if (!isAssayError(error)) return undefined;
  const { text, exitCode } = describeError(error, serverUrl);
  if (error.payment === undefined) return { text, exitCode };
  const { id, amount, chargeableUntil } = error.payment;
  const until = timeText(chargeableUntil);
  return unknownOutcome(
    `${text}; payment ${id} (${usdOf(amount)} USD) was sent and may be charged until ${until} UTC; ${RUN_AGAIN}; --replaces ${id} pays a second time`,
  );
}

/** The part of the message that differs between sent payments. */
function describeError(error: AssayError, serverUrl: string): ReadFailure {
  const isSent = error.payment !== undefined;
  const nothing = (what: string) => (isSent ? '' : what);
  switch (error.type) {
    case 'unresolved':
      return {
        text: `${serverUrl} did not report whether the payment was charged`,
        exitCode: EXIT.unknownOutcome,
      };
    case 'undelivered':
      return {
        text: `${serverUrl} accepted the payment but sent no response`,
        exitCode: EXIT.unknownOutcome,
      };
    case 'over_cap':
      return notPaid(
        `the price for this wallet is now ${usdOf(error.asked)} USD, and ${usdOf(error.limit)} are allowed: raise --max-usd to pay it`,
      );
    case 'not_allowed':
      return notPaid(`${askedFor(error)}${nothing('; nothing was paid')}`);
    case 'refused':
      return notPaid(refusal(sanitizeServerText(error.code)));
    case 'demo_key':
      return notPaid(
        `${error.address} is not a wallet of the demo, and a payment signed with another key could be spent on the real chain; pay without --key-file and ASSAY_PRIVATE_KEY, in the folder of .assay/demo.json`,
      );
    case 'invoice':
      return notPaid(`${sanitizeServerText(error.message)}${nothing('; nothing was paid')}`);
    case 'declined':
      return notPaid(
        'the earlier payment for this was closed in the meantime, and nothing new was signed: run the same command again to buy it',
      );
    case 'store':
      return notPaid(`${sanitizeServerText(error.message)}; nothing new was signed`);
    case 'problem': {
      // Unquoted, a seller's text could pass for a message of this command that asks for a second payment.
      if (isSent) return notPaid(quotedProblem(error));
      const failure = describeReadFailure(error, serverUrl)!;
      const other = error.status === 403 ? '; pay from another wallet' : '';
      return { ...failure, text: `${failure.text}${other} (nothing was charged)` };
    }
    default:
      return describeReadFailure(error, serverUrl)!;
  }
}

function quotedProblem({ status, problem }: AssayError<'problem'>): string {
  const reason = problem.detail ?? problem.title;
  return `the server returned ${status}${reason ? `: ${JSON.stringify(sanitizeServerText(reason))}` : ''}`;
}

const RUN_AGAIN = 'run the same command again: the same payment is resent, never a second one';

function unknownOutcome(text: string): ReadFailure {
  return { text, exitCode: EXIT.unknownOutcome };
}

function notPaid(text: string): ReadFailure {
  return { text, exitCode: EXIT.notPaid };
}

function askedFor({ what, found }: AssayError<'not_allowed'>): string {
  const shown = sanitizeServerText(found);
  switch (what) {
    case 'recipient':
      return `the server requests payment to ${shown}; if you trust that address, add --accept-pay-to ${shown}`;
    case 'asset':
    case 'network':
      return `the server requests the ${what} ${shown}; this command pays only ${STABLECOINS.map(({ name }) => name).join(', ')}`;
    case 'resource':
      return `the server names itself ${shown}; if you trust that, set --url to it`;
    case 'host':
      return `${shown} is not paid: payments require HTTPS, except on this machine`;
    default:
      return `the server requests the ${what} ${shown}, which is not supported`;
  }
}

/** What to do, by the server's error code. */
const ADVICE: Readonly<Record<string, string>> = {
  insufficient_funds: "the wallet's balance is too low: fund it, or pay from another wallet",
  payment_would_fail:
    'the token rejects the transfer, for example from a frozen account: pay from another wallet',
  settlement_too_costly:
    'the wallet is a contract that needs too much gas: pay from a regular account',
  invalid_signature:
    'the token has another signing domain here: the server must correct its settings',
  authorization_not_yet_valid: "this machine's clock is ahead: correct it",
  authorization_expired:
    "the payment expired before the server settled it, or this machine's clock is wrong",
  payment_unrecorded:
    'it was charged, but the server lost the response: ask the operator for a refund',
  payment_already_used: 'its response was already delivered and is no longer stored',
};

function refusal(code: string): string {
  return `the server rejected the payment (${code}): ${ADVICE[code] ?? 'try again in a moment'}`;
}
