import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { openTimeZone, type TimeZone } from '../../domain/timeZone.ts';
import { COST_METHODS, type CostMethod } from '../../domain/wallet/accounting/costMethod.ts';
import { type ParameterReader, readParameters } from '../parameters.ts';
import type { RouteRequest } from '../route.ts';
import { MAX_WALLETS, STATEMENT_YEAR } from './statementSchema.ts';
import { readWallet } from './walletParameters.ts';

/** What a request for a statement asks for. */
export interface StatementAsked {
  readonly wallets: readonly Address[];
  readonly families: readonly FamilyConfig[];
  readonly method: CostMethod;
  readonly year: number;
  readonly timeZone: string;
  readonly zone: TimeZone;
}

export function readStatementAsked(request: RouteRequest, config: Config): StatementAsked {
  const { zone, year, others, ...rest } = readParameters(
    (parameters) => ({
      method: parameters.choice('method', COST_METHODS) ?? 'average',
      year: parameters.optionalInteger('year', STATEMENT_YEAR),
      ...readZone(parameters),
      others: readWallets(parameters),
    }),
    request,
  );
  const { wallet, asked: families } = readWallet(request, config);
  const wallets = [...new Set([wallet, ...others])];
  const thisYear = Number(zone!.textOf(request.now).slice(0, 4));
  return { ...rest, wallets, families, year: year ?? thisYear, zone: zone! };
}

function readZone(parameters: ParameterReader) {
  const timeZone = parameters.text('timeZone') ?? 'UTC';
  const zone = openTimeZone(timeZone);
  if (zone === undefined) {
    parameters.mistake(
      'timeZone',
      'is not a time zone of the IANA database: use a name such as UTC, Europe/Zurich, or America/New_York',
    );
  }
  return { timeZone, zone };
}

function readWallets(parameters: ParameterReader): Address[] {
  const listed = parameters.text('wallets')?.split(',') ?? [];
  if (listed.length >= MAX_WALLETS) {
    parameters.mistake(
      'wallets',
      `lists too many wallets: a statement has at most ${MAX_WALLETS}, including the one in the path`,
    );
    return [];
  }
  return listed.flatMap((text) => parameters.address('wallets', text.trim()) ?? []);
}
