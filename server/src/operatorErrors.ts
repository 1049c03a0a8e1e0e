import { RpcError } from './chain/rpcError.ts';
import { UsageError } from './cli/arguments.ts';
import type { ErrorClass } from './cli/log.ts';
import { ConfigError } from './config/problem.ts';
import { ListenFailed } from './http/listen.ts';
import { AnotherChain } from './ingest/chainState.ts';
import { HistoryChanged } from './ingest/follower.ts';
import { LegacyFileInvalid } from './ingest/legacyFile.ts';
import { LegacyFileUnreadable } from './ingest/legacyImport.ts';
import { MarketDataError } from './ingest/marketDataError.ts';
import { NotAVault } from './ingest/vaultFacts.ts';
import { FolderLocked } from './store/folderLock.ts';
import { MigrationChanged, StoreIsNewer } from './store/migrate.ts';
import { StatementFailed } from './store/statementFailed.ts';
import { StoreUnavailable } from './store/storeUnavailable.ts';

/** Errors whose message was written for the operator, without URL, key or SQL. */
export const OPERATOR_ERRORS: readonly ErrorClass[] = [
  AnotherChain,
  ConfigError,
  FolderLocked,
  HistoryChanged,
  LegacyFileInvalid,
  LegacyFileUnreadable,
  ListenFailed,
  MarketDataError,
  MigrationChanged,
  NotAVault,
  RpcError,
  StatementFailed,
  StoreIsNewer,
  StoreUnavailable,
  UsageError,
];
