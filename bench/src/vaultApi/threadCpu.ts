import { readdirSync, readFileSync } from 'node:fs';
import { cpuMsOf } from '../cpu.ts';

/** CPU of a process over all its threads, to the microsecond where the kernel tells (else to 10 ms). */
export function preciseCpuMs(pid: number): number {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const parts = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8'));
    return parts.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e6, 0);
  } catch {
    return cpuMsOf(pid) ?? Number.NaN;
  }
}
