import { defineConfig } from 'vitest/config';

/** A second, which is usual, is less than a busy machine may take; what never comes fails all the same. */
const expect = { poll: { timeout: 15_000 } };

/** Full counts take minutes on a machine that is busy; what hangs ends all the same. */
const patience = process.env.ASSAY_LONG === '1' ? 900_000 : 120_000;

export default defineConfig({
  test: {
    // One more than there are cores where the tests usually run: many of them wait for blocks, leases and processes.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'server',
          root: 'server',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          globalSetup: ['test/globalSetup.ts'],
          expect,
          testTimeout: patience,
          hookTimeout: patience,
        },
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
