/// <reference types="vite/types/importMeta.d.ts" />
import { describe, expect, test } from 'vitest';
import { RpcUnreachable } from '../chain/rpcError.ts';
import { StoreUnavailable } from '../store/storeUnavailable.ts';
import { BadParameters, NotFound, PROBLEMS, problemBody, toProblem } from './problem.ts';

describe('toProblem', () => {
  test('default', () => {
    const error = new BadParameters([{ parameter: 'limit', reason: 'must be at most 500' }]);
    expect(JSON.parse(problemBody(toProblem(error)))).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'limit must be at most 500',
      errors: [{ parameter: 'limit', reason: 'must be at most 500' }],
    });
  });

  test('behavior: domain errors', () => {
    expect(toProblem(new NotFound('no family svcxyz'))).toMatchObject({ status: 404 });
    expect(toProblem(new StoreUnavailable('unreachable'))).toMatchObject({
      status: 503,
      retryAfterSeconds: 5,
    });
    expect(toProblem(new StoreUnavailable('full'))).toMatchObject({
      status: 503,
      code: 'database_full',
      detail: 'the database is full and rejects writes; try again later',
    });
    expect(toProblem(new StoreUnavailable('read-only'))).toMatchObject({
      status: 503,
      code: 'database_read_only',
    });
    const rpc = new RpcUnreachable({ upstream: 1, reason: 'timeout' });
    expect(toProblem(rpc)).toMatchObject({ status: 503 });
  });

  test('behavior: any other error reveals nothing', () => {
    const bare = { type: 'about:blank', title: 'Internal Server Error', status: 500 };
    for (const thrown of [new Error('select secret'), 'secret', undefined, { statusCode: 400 }]) {
      expect(JSON.parse(problemBody(toProblem(thrown)))).toEqual(bare);
    }
    const posing = Object.assign(new Error('secret'), { statusCode: 418 });
    expect(JSON.parse(problemBody(toProblem(posing)))).toEqual(bare);
  });
});

describe('PROBLEMS', () => {
  /** Errors that end a start or a loop, or are bugs: clients get a 500 without details. */
  const internal = [
    // chain/rpcBatches.ts sends smaller requests.
    'BatchRefused',
    'ChangeTakenOver',
    'CopyRefused',
    'Crowded',
    'FeesAboveCap',
    'FolderLocked',
    'FolderLockedElsewhere',
    'HeadersCommandFailed',
    'InstantTooEarly',
    'Malformed',
    'MigrationChanged',
    'PaymentsLost',
    'PostFailed',
    'PrivateKeyInvalid',
    'SenderOutOfGas',
    'ServiceFailed',
    'SettlementUnconfirmed',
    'ShortData',
    'SourceChanged',
    'StatementFailed',
    'StoreIsNewer',
    // http/vault/costMethod.ts converts it to a parameter error.
    'TooManyMovements',
    'TransactionAborted',
  ];
  const modules = import.meta.glob<Record<string, unknown>>(
    ['../{chain,domain,store,payments}/**/*.ts', '!../**/*.test.ts', '!../**/*Thread.ts'],
    { eager: true },
  );
  const classes = Object.values(modules)
    .flatMap((module) => Object.values(module))
    .filter((value): value is typeof Error => {
      return typeof value === 'function' && value.prototype instanceof Error;
    });

  test('default: every error class below is mapped or known to be internal', () => {
    const unmapped = classes.filter((found) => {
      return !PROBLEMS.some(({ errorClass }) => {
        return found === errorClass || found.prototype instanceof errorClass;
      });
    });
    expect(classes.length).toBeGreaterThan(5);
    expect(unmapped.map(({ name }) => name).filter((name) => !internal.includes(name))).toEqual([]);
  });
});
