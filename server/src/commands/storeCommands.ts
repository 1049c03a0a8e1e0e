import { backupStore } from './backup.ts';
import { fillStore } from './fill.ts';
import { gapsOfStore } from './gaps.ts';
import { paymentsList } from './paymentsList.ts';
import { paymentsReconcile } from './paymentsReconcile.ts';
import { paymentsRefund } from './paymentsRefund.ts';
import { paymentsReport } from './paymentsReport.ts';
import { riskDiff } from './riskDiff.ts';
import { riskGrade } from './riskGrade.ts';
import { riskImportBeside } from './riskImport.ts';
import { riskShow } from './riskShow.ts';
import type { StoreCommand } from './storeCommand.ts';
import { verifyStore } from './verify.ts';

/** Those that a running server takes on its admin port. */
export const STORE_COMMANDS: readonly StoreCommand[] = [
  verifyStore,
  backupStore,
  gapsOfStore,
  fillStore,
  riskImportBeside,
  riskGrade,
  riskShow,
  riskDiff,
  paymentsList,
  paymentsReport,
  paymentsReconcile,
  paymentsRefund,
];
