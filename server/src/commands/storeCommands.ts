import { alertsList } from './alerts.ts';
import { alertsTest } from './alertsTest.ts';
import { backupStore } from './backup.ts';
import { exportRead } from './exportReader.ts';
import { fillStore } from './fill.ts';
import { gapsOfStore } from './gaps.ts';
import { paymentsList } from './paymentsList.ts';
import { paymentsReconcile } from './paymentsReconcile.ts';
import { paymentsRefund } from './paymentsRefund.ts';
import { paymentsReport } from './paymentsReport.ts';
import { paymentsResume } from './paymentsResume.ts';
import { riskDiff } from './riskDiff.ts';
import { riskGrade } from './riskGrade.ts';
import { riskImportBeside } from './riskImport.ts';
import { riskShow } from './riskShow.ts';
import type { StoreCommand } from './storeCommand.ts';
import { verifyStore } from './verify.ts';
import { webhooksList } from './webhooksList.ts';
import { webhooksLog } from './webhooksLog.ts';
import { webhooksPause } from './webhooksPause.ts';
import { webhooksReplay } from './webhooksReplay.ts';
import { webhooksResume } from './webhooksResume.ts';
import { webhooksTest } from './webhooksTest.ts';

/** The commands that a running server accepts on its admin port. */
export const STORE_COMMANDS: readonly StoreCommand[] = [
  verifyStore,
  backupStore,
  exportRead,
  alertsList,
  alertsTest,
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
  paymentsResume,
  webhooksList,
  webhooksTest,
  webhooksLog,
  webhooksReplay,
  webhooksPause,
  webhooksResume,
];
