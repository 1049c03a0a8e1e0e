import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { FULL, LONG } from './scripts/test/extents.mjs';
import { findTestFolder } from './scripts/test/memoryFolder.mjs';
import { shuffle } from './scripts/test/seed.mjs';
import { listTests } from './scripts/test/testFiles.mjs';

// The tests and their child processes inherit it.
process.env.TMPDIR = findTestFolder();

/** Full counts take minutes on a busy machine; a test that hangs still ends. */
const timeout = LONG ? 900_000 : 120_000;
const { unit, integration } = listTests();
/** `npm test` leaves out files named `.full.test.ts`, unless the command names them. */
const isIncluded = (file: string) =>
  FULL ||
  !file.endsWith('.full.test.ts') ||
  process.argv.slice(3).some((arg) => file.includes(arg));
/** With full counts these compare times, so nothing else may run beside them. */
const measured = LONG
  ? ['server/test/overload.full.test.ts', 'server/test/payerFloods.full.test.ts']
  : [];

/** Whole-server tests take longest. Started last, they would leave the other workers idle. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { ASSAY_SHUFFLE } = process.env;
    const sorted = await super.sort(files);
    const rank = ({ moduleId, project }: TestSpecification) => {
      if (project.name === 'unit') return 3;
      // In random order, files of a project still follow each other: only then do they share a process.
      if (ASSAY_SHUFFLE) return 0;
      return /\/scripts\//.test(moduleId) ? 0 : /\/test\//.test(moduleId) ? 1 : 2;
    };
    const mixed = ASSAY_SHUFFLE ? shuffle(sorted, ASSAY_SHUFFLE) : sorted;
    return mixed.toSorted((a, b) => rank(a) - rank(b));
  }
}

const shared = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Files share a process: loading the server's code again for each file takes a third of all processor time.
  isolate: false,
  // A busy machine may take longer than the usual second.
  expect: { poll: { timeout: 15_000 } },
  testTimeout: timeout,
  hookTimeout: timeout,
};
const CLIENT = [
  { find: /^@assay\/client$/, replacement: `${shared.root}client/src/index.ts` },
  { find: /^@assay\/client\/(\w+)$/, replacement: `${shared.root}client/src/$1/index.ts` },
];
const withParts = { ...shared, globalSetup: ['server/test/globalSetup.ts'] };

export default defineConfig({
  test: {
    // Twice the two cores of the usual machine: many tests wait for blocks, leases, and processes.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      // The client from its sources: unit tests need no build.
      {
        resolve: { alias: CLIENT },
        test: { ...shared, name: 'unit', include: unit.filter(isIncluded) },
      },
      {
        test: {
          ...withParts,
          name: 'integration',
          include: integration.filter((file) => isIncluded(file) && !measured.includes(file)),
        },
      },
      {
        test: {
          ...withParts,
          name: 'measured',
          include: measured,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
