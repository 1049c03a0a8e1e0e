import { auditTree } from './auditTree.mjs';

const { lines, ok } = await auditTree({ now: Date.now() });
for (const line of lines) console.log(line);
process.exitCode = ok ? 0 : 1;
