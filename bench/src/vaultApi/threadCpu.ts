import { readdirSync, readFileSync } from 'node:fs';
import { cpuMsOf } from '../cpu.ts';

/** Returns the CPU of all threads of a process, in microseconds if the kernel reports them (otherwise 10 ms). */
export function preciseCpuMs(pid: number): number {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const parts = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8'));
    return parts.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e6, 0);
  } catch {
    return cpuMsOf(pid) ?? Number.NaN;
  }
}

/** Returns the same for each running child process: the backends of a PostgreSQL server. */
export function cpuMsOfChildren(pid: number): ReadonlyMap<number, number> {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const children = text.split(' ').map(Number);
  return new Map(children.map((child) => [child, preciseCpuMs(child)]));
}

/** Returns the CPU between two readings, for processes in both. */
export function cpuMsSpent(
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
): number {
  let sum = 0;
  for (const [pid, ms] of after) sum += ms - (before.get(pid) ?? ms);
  return sum;
}
