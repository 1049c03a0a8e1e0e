import { readFileSync } from 'node:fs';

// Linux counts CPU in ticks of 10 ms for every program, whatever the kernel's own clock.
const TICK_MS = 10;

/** CPU that a process has used; null where the system does not tell (it takes Linux). */
export function cpuMsOf(pid: number | undefined): number | null {
  const fields = statFields(pid);
  return fields === null ? null : (fields[11]! + fields[12]!) * TICK_MS;
}

/** The same with all its children, those that have ended included. */
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

/** Fields counted from after the command name, which may itself hold spaces. */
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
