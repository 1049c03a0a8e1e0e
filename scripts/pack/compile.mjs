import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { node, tool } from '../tree.mjs';

/** Compiles a workspace into a folder, without source maps: they would point to sources that a package does not contain. */
export function compile(workspace, outDir, more = []) {
  const options = ['--outDir', outDir, '--sourceMap', 'false', ...more];
  node(tool('tsc'), ['-p', `${workspace}/tsconfig.build.json`, ...options]);
}

/** Compiles the client as its package has it: as modules, and in `cjs` for programs that use `require`. */
export function compileClient(outDir) {
  compile('client', outDir);
  const cjs = join(outDir, 'cjs');
  const options = ['--module', 'commonjs', '--moduleResolution', 'bundler'];
  compile('client', cjs, [...options, '--verbatimModuleSyntax', 'false']);
  writeFileSync(join(cjs, 'package.json'), '{ "type": "commonjs" }\n');
}
