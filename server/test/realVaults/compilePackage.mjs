// Compiles contracts of packages: reads a job as JSON from stdin and writes the contracts by name as JSON to stdout.
// Runs as a separate process, because older compilers leave handlers in their process and use hundreds of megabytes.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const { soljson, roots, files, settings } = JSON.parse(readFileSync(0, 'utf8'));
const solc = soljson === null ? require('solc') : require('solc/wrapper.js')(require(soljson));

function load(path) {
  for (const [prefix, folder] of roots) {
    const file = join(folder, path.slice(prefix.length));
    if (path.startsWith(`${prefix}/`) && existsSync(file)) {
      return { contents: readFileSync(file, 'utf8') };
    }
  }
  return { error: `${path} is in none of the packages` };
}

const sources = Object.fromEntries(files.map((path) => [path, { content: load(path).contents }]));
const input = {
  language: 'Solidity',
  sources,
  settings: {
    ...settings,
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  },
};
const output = JSON.parse(solc.compile(JSON.stringify(input), { import: load }));
const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
if (errors.length > 0) {
  process.stderr.write(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  process.exit(1);
}
const contracts = files.flatMap((path) => Object.entries(output.contracts[path] ?? {}));
process.stdout.write(
  JSON.stringify(
    Object.fromEntries(
      contracts.map(([name, { abi, evm }]) => [
        name,
        { abi, bytecode: `0x${evm.bytecode.object}` },
      ]),
    ),
  ),
);
