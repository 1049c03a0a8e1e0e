import { RpcError } from '../chain/rpcError.ts';
import type { ErrorClass } from '../cli/log.ts';
import { UsageError } from '../cli/usageError.ts';
import { ConfigError } from '../config/problem.ts';
import { ExportFolderUnusable } from '../export/manifest.ts';
import { ListenFailed } from '../http/listen.ts';
import { AnotherChain } from '../ingest/chainState.ts';
import { LegacyFileInvalid } from '../ingest/legacy/legacyFile.ts';
import { LegacyFileUnreadable } from '../ingest/legacy/legacyImport.ts';
import { MarketDataError } from '../ingest/marketData/marketDataError.ts';
import { NotAVault } from '../ingest/read/vaultFacts.ts';
import { HistoryChanged } from '../ingest/reorg.ts';
import { InitRefused } from '../init/initRefused.ts';
import { PrivateKeyInvalid } from '../payments/authorization/curve.ts';
import { NodesUnavailable } from '../payments/chain/nodes.ts';
import { CuratedFactsInvalid } from '../risk/import/curated.ts';
import { ImportRefused } from '../risk/import/importRefused.ts';
import { SourceUnreachable, SourceUnreadable } from '../risk/import/openSource.ts';
import { FolderLocked, FolderLockedElsewhere } from '../store/folderLock.ts';
import { MigrationChanged, StoreIsNewer } from '../store/migrate.ts';
import { StatementFailed } from '../store/statementFailed.ts';
import { CopyRefused } from '../store/storeCopy.ts';
import { StoreUnavailable } from '../store/storeUnavailable.ts';
import { PaymentSettingsWrong } from './paymentSettings.ts';

/** Errors whose message was written for the operator, without URL, key or SQL. */
export const OPERATOR_ERRORS: readonly ErrorClass[] = [
  AnotherChain,
  ConfigError,
  CopyRefused,
  CuratedFactsInvalid,
  ExportFolderUnusable,
  FolderLocked,
  FolderLockedElsewhere,
  HistoryChanged,
  ImportRefused,
  InitRefused,
  LegacyFileInvalid,
  LegacyFileUnreadable,
  ListenFailed,
  MarketDataError,
  MigrationChanged,
  NodesUnavailable,
  NotAVault,
  PaymentSettingsWrong,
  PrivateKeyInvalid,
  RpcError,
  SourceUnreachable,
  SourceUnreadable,
  StatementFailed,
  StoreIsNewer,
  StoreUnavailable,
  UsageError,
];
