import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests of whole servers take minutes: begun last, they would leave the other workers with nothing to do. */
class WholeServersFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) =>
      /\/scripts\//.test(moduleId) ? 0 : /\/test\//.test(moduleId) ? 1 : 2;
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

/** A second, which is usual, is less than a busy machine may take; what never comes fails all the same. */
const expect = { poll: { timeout: 15_000 } };

const LONG = process.env.ASSAY_LONG === '1';
/** Full counts take minutes on a machine that is busy; what hangs ends all the same. */
const patience = LONG ? 900_000 : 120_000;
/** With full counts it holds times against each other, and has the machine for itself. */
const measured = LONG ? ['test/siege.test.ts'] : [];

const wholeServers = {
  root: 'server',
  globalSetup: ['test/globalSetup.ts'],
  expect,
  testTimeout: patience,
  hookTimeout: patience,
};

export default defineConfig({
  test: {
    // One more than there are cores where the tests usually run: many of them wait for blocks, leases and processes.
    maxWorkers: 3,
    sequence: { sequencer: WholeServersFirst },
    projects: [
      {
        test: {
          name: 'server',
          root: 'server',
          include: ['src/**/*.test.ts'],
          globalSetup: ['test/globalSetup.ts'],
          // Files share a process, one after the other: a process for each, with the server's code loaded anew, takes a
          // quarter of the time. None of them replaces modules or leaves globals behind.
          isolate: false,
          expect,
          testTimeout: patience,
          hookTimeout: patience,
        },
      },
      {
        test: {
          ...wholeServers,
          name: 'system',
          include: ['test/**/*.test.ts'],
          exclude: measured,
        },
      },
      {
        test: { ...wholeServers, name: 'measured', include: measured, sequence: { groupOrder: 1 } },
      },
      {
        test: {
          name: 'client',
          root: 'client',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'generate/**/*.test.ts'],
          expect,
          testTimeout: patience,
          hookTimeout: patience,
        },
      },
      { test: { name: 'dashboard', root: 'dashboard', include: ['src/**/*.test.ts'] } },
      {
        test: {
          name: 'bench',
          root: 'bench',
          include: ['src/**/*.test.ts'],
          testTimeout: patience,
        },
      },
      {
        test: {
          name: 'devnet',
          root: 'devnet',
          include: ['src/**/*.test.ts'],
          expect,
          testTimeout: patience,
          hookTimeout: patience,
        },
      },
      {
        test: {
          name: 'tree',
          root: '.',
          include: ['scripts/**/*.test.ts'],
          expect,
          testTimeout: patience,
        },
      },
    ],
  },
});
