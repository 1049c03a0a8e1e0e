import { RpcError } from './chain/rpcError.ts';
import { UsageError } from './cli/arguments.ts';
import type { ErrorClass } from './cli/log.ts';
import { ConfigError } from './config/problem.ts';
import { ListenFailed } from './http/listen.ts';
import { AnotherChain } from './ingest/chainState.ts';
import { LegacyFileInvalid } from './ingest/legacy/legacyFile.ts';
import { LegacyFileUnreadable } from './ingest/legacy/legacyImport.ts';
import { MarketDataError } from './ingest/marketData/marketDataError.ts';
import { NotAVault } from './ingest/read/vaultFacts.ts';
import { HistoryChanged } from './ingest/reorg.ts';
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
