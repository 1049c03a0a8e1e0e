import { type AssayError, isAssayError } from '@assay/client';
import { EXIT } from './exitCodes.ts';
import { describeReadFailure, ownWords, type ReadFailure } from './failures.ts';
import { STABLECOINS, usdOf } from './stablecoins.ts';

/** Nothing was paid, for a reason of our own. */
export class NotPaid extends Error {
  override readonly name = 'NotPaid';
}

/** Undefined for what is neither a failure of the server nor one of paying it. */
export function describePaidFailure(error: unknown, serverUrl: string): ReadFailure | undefined {
  if (error instanceof NotPaid) return notPaid(error.message);
  if (!isAssayError(error)) return undefined;
  switch (error.type) {
    case 'unresolved':
      return {
        text: `${serverUrl} went away in the middle of the payment, so whether it was charged is not known yet; run the same command again: the same payment is sent, never a second one`,
        exitCode: EXIT.unknownOutcome,
      };
    case 'undelivered':
      return {
        text: `${serverUrl} took the payment and sent no answer; run the same command again: the same payment is sent, never a second one`,
        exitCode: EXIT.unknownOutcome,
      };
    case 'over_cap':
      return notPaid(
        `it costs this wallet ${usdOf(error.asked)} USD now, and ${usdOf(error.limit)} are allowed: raise --max-usd to pay it`,
      );
    case 'not_allowed':
      return notPaid(`${askedFor(error)}; nothing was paid`);
    case 'refused':
      return notPaid(refusal(ownWords(error.code)));
    case 'demo_key':
      return notPaid(
        `${error.address} is no wallet of the demo, and what another key signs for it could be spent on the real chain; pay it without --key-file and ASSAY_PRIVATE_KEY, in the folder of .assay/demo.json`,
      );
    case 'invoice':
      return notPaid(`${ownWords(error.message)}; nothing was paid`);
    case 'store':
      return notPaid(`${ownWords(error.message)}; nothing new was signed`);
    case 'problem': {
      const told = describeReadFailure(error, serverUrl)!;
      const other = error.status === 403 ? '; pay from another wallet' : '';
      return { ...told, text: `${told.text}${other} (nothing was charged)` };
    }
    default:
      return describeReadFailure(error, serverUrl);
  }
}

function notPaid(text: string): ReadFailure {
  return { text, exitCode: EXIT.notPaid };
}

function askedFor({ what, found }: AssayError<'not_allowed'>): string {
  const shown = ownWords(found);
  switch (what) {
    case 'recipient':
      return `the server wants ${shown} to be paid; if that is right, say --pay-to ${shown}`;
    case 'asset':
    case 'network':
      return `the server wants ${what} ${shown}; this command pays ${STABLECOINS.map(({ name }) => name).join(', ')} only`;
    case 'resource':
      return `the server calls itself ${shown}; name that with --url if you trust it`;
    case 'host':
      return `${shown} is not paid: only HTTPS is, except on this machine`;
    default:
      return `the server asks for the ${what} ${shown}, which cannot be paid`;
  }
}

/** What to change, by the words in which a server refuses a payment. */
const ADVICE: Readonly<Record<string, string>> = {
  insufficient_funds: 'the wallet has too little of it: send it some, or pay from another wallet',
  payment_would_fail:
    'the token refuses the transfer, as from a frozen account: pay from another wallet',
  settlement_too_costly: 'the wallet is a contract that costs too much gas: pay from a plain key',
  invalid_signature:
    'the token signs under another name here: the server must correct its settings',
  authorization_not_yet_valid: "this machine's clock is ahead: set it right",
  authorization_expired: "the server was too late, or this machine's clock is: run it again",
  payment_already_used: 'its answer was handed out before and is not kept any more: run it again',
};

function refusal(code: string): string {
  return `the server does not take the payment (${code}): ${ADVICE[code] ?? 'run it again in a moment'}`;
}
