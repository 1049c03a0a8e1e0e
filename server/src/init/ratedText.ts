import { getAddress } from 'viem';
import type { PresetMatch } from './findPreset.ts';
import type { ReportLine } from './report.ts';
import { address, comment } from './yamlText.ts';

/** Any contract: the operator's own address replaces it. */
const TO_FILL_IN = `0x${'1'.repeat(40)}`;

export function presetLines({ preset }: PresetMatch): string[] {
  return [
    `    # ${comment(preset.read.system)}; see docs/vaults.md for known issues.`,
    `    preset: ${preset.name}`,
  ];
}

/** The contracts of a deployment; those that must be filled in are comments. */
export function roleLines({ roles }: PresetMatch, filled: boolean): string[] {
  if (roles.length === 0) return [];
  const isOpen = roles.some(({ address: found }) => found === null);
  const block = roles.every(({ address: found }) => found === null) && !filled ? '# ' : '';
  return [
    ...(isOpen ? ['        # Fill in these contracts: no contract names them on chain.'] : []),
    `        ${block}rated:`,
    `        ${block}  contracts:`,
    ...roles.map(({ role, is, address: found, by }) => {
      if (found !== null) return `            ${role}: ${address(found)} # ${by}`;
      if (filled) return `            ${role}: ${address(TO_FILL_IN)}`;
      return `        ${block === '' ? '    # ' : '#     '}${role}: "0x…" # ${is}`;
    }),
  ];
}

export function reportRoles(
  at: string,
  { preset, roles }: PresetMatch,
  path: string,
): ReportLine[] {
  return [
    { mark: 'found', text: `${at}: read by the preset ${preset.name} (${preset.read.system})` },
    ...roles.map(({ role, is, address: found, by }): ReportLine => {
      if (found !== null) {
        return { mark: 'found', text: `${at}: ${role} ${getAddress(found)}, by ${by}` };
      }
      return { mark: 'missing', text: `${path}.rated.contracts.${role}: ${is}` };
    }),
  ];
}
