import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

const DEPLOY = new URL('../deploy/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, DEPLOY), 'utf8');

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Asked {
  readonly expr: string;
}

export function alertRules(): AlertRule[] {
  const { groups } = parse(read('prometheus/alerts.yml')) as { groups: { rules: AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** Returns every metric of the server that the alerts and dashboards of deploy/ use; a histogram by its base name. */
export function namedMetrics(): string[] {
  const dashboards = readdirSync(new URL('grafana/dashboards/', DEPLOY));
  const panels = dashboards.flatMap(
    (file) =>
      (JSON.parse(read(`grafana/dashboards/${file}`)) as { panels: { targets: Asked[] }[] }).panels,
  );
  const asked = [...alertRules(), ...panels.flatMap(({ targets }) => targets)];
  const names = asked.flatMap(({ expr }) => expr.match(/\b(assay|process|nodejs)_\w+/g) ?? []);
  return [...new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, '')))].sort();
}
