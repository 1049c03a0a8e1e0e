import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The server's own pages have the same look: server/src/http/docs/look.ts. */
const look: Plugin = {
  name: 'look',
  generateBundle() {
    for (const fileName of ['theme.css', 'icon.svg']) {
      this.emitFile({ type: 'asset', fileName, source: readFileSync(at(`src/${fileName}`)) });
    }
  },
};

export default defineConfig({
  root: at('.'),
  plugins: [look],
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: {
    alias: {
      '@assay/client/browser': at('../client/src/browser/index.ts'),
      '@assay/client': at('../client/src/index.ts'),
    },
  },
  build: {
    // Shipped with the server's files, so that it can serve the dashboard.
    outDir: at('../server/dist/dashboard'),
    emptyOutDir: true,
    target: 'es2022',
    // The page's content security policy does not allow data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
