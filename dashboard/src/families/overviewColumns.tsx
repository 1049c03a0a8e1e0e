import type { Column } from '../components/table.tsx';
import { Percent } from '../components/values.tsx';
import { changeOf, netFlowUsd } from './figures.ts';
import type { Family } from './listedFamily.ts';
import { LowestScore, type Overviews, SparkCell } from './rowFigures.tsx';
import { Flow } from './story.tsx';

/** The columns whose values come from the overview: changes, flows, pools, and trends. */
export function overviewColumns(overviews: Overviews) {
  const of = ({ slug }: Family) => overviews?.get(slug);
  const flow: Column<Family> = {
    key: 'flow',
    label: 'Net flow 7 d',
    title: 'Shares issued minus shares redeemed in 7 days, at their value now',
    drop: 2,
    numeric: true,
    value: (family) => flowOf(family),
    unit: () => 'USD',
    render: (family) => <Flow value={flowOf(family)} />,
  };
  const lowestScore: Column<Family> = {
    key: 'risk',
    label: 'Lowest score',
    title: 'The lowest riskScore among its pools: 0 to 100, higher is safer',
    numeric: true,
    value: (family) => of(family)?.lowestScore ?? null,
    render: (family) => <LowestScore found={of(family)} />,
  };
  const trend: Column<Family> = {
    key: 'trend',
    label: 'TVL 30 d',
    drop: 1,
    render: (family) => <SparkCell found={of(family)} />,
  };
  const day = change('dayAgo', '24 h', 2);
  const week = change('weekAgo', '7 d', 3);
  return { day, week, flow, lowestScore, trend };

  function flowOf(family: Family): number | null {
    const found = of(family);
    return found === undefined ? null : netFlowUsd(found.weekAgo, found.now);
  }

  function change(key: 'dayAgo' | 'weekAgo', label: string, drop: 2 | 3): Column<Family> {
    const value = (family: Family) => {
      const found = of(family);
      return found === undefined ? null : changeOf(found[key], found.now);
    };
    return {
      key,
      label,
      title: `Change of TVL in the asset, ${label}`,
      fileLabel: `TVL ${label}`,
      drop,
      numeric: true,
      value,
      unit: () => 'fraction',
      render: (family) => <Percent fraction={value(family)} why="no value at that time" isChange />,
    };
  }
}
