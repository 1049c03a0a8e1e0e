// Imports the list of the given round into the store given as argument, and prints each step.
import type { RiskRecord } from '../../src/domain/risk/record.ts';
import { applyImport } from '../../src/risk/import/applyImport.ts';
import { openStore } from '../../src/store/open.ts';
import { riskRound } from '../riskRounds.ts';

const [config, round] = process.argv.slice(2);
const store = await openStore(JSON.parse(config!));
const records: readonly RiskRecord[] = riskRound(Number(round));
console.log('open');
await applyImport({
  ...{ store, source: 'defillama-pools', records, now: 1_790_000_000 + Number(round) },
  onProgress: ({ phase, done }) => console.log(`${phase} ${done}`),
});
console.log('done');
process.exit(0);
