import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: at('.'),
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: { alias: { '@assay/client': at('../client/src/index.ts') } },
  build: {
    // Beside the server's own files: whoever has them can serve it.
    outDir: at('../server/dist/dashboard'),
    emptyOutDir: true,
    target: 'es2022',
    // The page's policy allows no data in URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
