import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const DEPLOY = new URL('../deploy/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, DEPLOY), 'utf8');

/** Every metric of the server that the alerts and the dashboard of deploy/ ask for. */
export function namedMetrics(): string[] {
  const { groups } = parse(read('prometheus/alerts.yml')) as { groups: { rules: Asked[] }[] };
  const { panels } = JSON.parse(read('grafana/dashboards/assay.json')) as {
    panels: { targets: Asked[] }[];
  };
  const asked = [
    ...groups.flatMap(({ rules }) => rules),
    ...panels.flatMap(({ targets }) => targets),
  ].map(({ expr }) => expr);
  const names = asked.flatMap((expr) => expr.match(/\b(assay|process|nodejs)_\w+/g) ?? []);
  return [...new Set(names)].sort();
}

interface Asked {
  readonly expr: string;
}
