import { defineConfig } from 'vitest/config';

/** A second, which is usual, is less than a busy machine may take; what never comes fails all the same. */
const expect = { poll: { timeout: 15_000 } };

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
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'client',
          root: 'client',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'generate/**/*.test.ts'],
          expect,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      { test: { name: 'dashboard', root: 'dashboard', include: ['src/**/*.test.ts'] } },
      {
        test: { name: 'bench', root: 'bench', include: ['src/**/*.test.ts'], testTimeout: 60_000 },
      },
      {
        test: {
          name: 'devnet',
          root: 'devnet',
          include: ['src/**/*.test.ts'],
          expect,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'tree',
          root: '.',
          include: ['scripts/**/*.test.ts'],
          expect,
          testTimeout: 120_000,
        },
      },
    ],
  },
});
