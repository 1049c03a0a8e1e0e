import { readFileSync } from 'node:fs';

// Linux reports CPU in ticks of 10 ms, regardless of the kernel's clock.
const TICK_MS = 10;

/** Returns the CPU used by a process; null if the system does not report it (requires Linux). */
export function cpuMsOf(pid: number | undefined): number | null {
  const fields = statFields(pid);
  return fields === null ? null : (fields[11]! + fields[12]!) * TICK_MS;
}

/** Returns the same including all children, also those that have exited. */
export function cpuMsOfFamily(pid: number | undefined): number | null {
  const fields = statFields(pid);
  if (fields === null) return null;
  let ticks = fields[11]! + fields[12]! + fields[13]! + fields[14]!;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  for (const child of children.split(' ').filter((text) => text !== '')) {
    const own = statFields(Number(child));
    if (own !== null) ticks += own[11]! + own[12]!;
  }
  return ticks * TICK_MS;
}

/** Returns the fields after the command name, which can contain spaces. */
function statFields(pid: number | undefined): number[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  } catch {
    return null;
  }
}
