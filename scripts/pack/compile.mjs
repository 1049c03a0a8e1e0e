import { node, tool } from '../tree.mjs';

/** Compiles a workspace into a folder, without source maps: they would point to sources that a package does not contain. */
export function compile(workspace, outDir) {
  const options = ['--outDir', outDir, '--sourceMap', 'false'];
  node(tool('tsc'), ['-p', `${workspace}/tsconfig.build.json`, ...options]);
}
