import type { AlertList, AlertListAlert, AlertListRecent, ListedVault } from '@assay/client';
import { Card } from '../components/card.tsx';
import { Choice } from '../components/choice.tsx';
import { ViewActions } from '../components/download.tsx';
import { FamilyLink } from '../components/familyLink.tsx';
import { Empty } from '../components/states.tsx';
import { type Column, chainColumns, fileOf, Table } from '../components/table.tsx';
import { Age, Unknown } from '../components/values.tsx';
import { cleanText, plural } from '../format/text.ts';
import { useVaults } from '../state/api.ts';
import { useChainName } from '../state/chains.ts';
import { useChoice } from '../state/url.ts';
import { alertKindText, alertValueText } from './alertText.ts';

const NEVER = 'it never fired';
/** Newest times that alerts fired and cleared. */
const SHOWN = 20;

/** The operator's alerts with their states, and when they fired and cleared. */
export function AlertTables({
  list: { alerts, recent },
  of,
}: {
  readonly list: AlertList;
  /** A family; undefined: all families. */
  readonly of: string | undefined;
}) {
  const vaults = useVaults().data ?? [];
  const chainName = useChainName();
  const states = stateColumns(vaults, of === undefined);
  const times = timeColumns(vaults, chainName, of === undefined);
  const [state, setState] = useChoice<'firing' | 'all'>('state', ['firing', 'all']);
  const firing = alerts.filter((one) => one.state === 'firing');
  const rows = state === 'firing' ? firing : alerts;
  const newest = recent.slice(0, SHOWN);
  const name = of ?? 'all';
  return (
    <>
      <Card
        id="alerts"
        title="Alerts"
        aside={
          alerts.length > 0 && (
            <>
              <Choice
                label="State"
                choices={[
                  ['firing', `Firing (${firing.length})`],
                  ['all', `All (${alerts.length})`],
                ]}
                value={state}
                onChoose={setState}
              />
              <ViewActions
                shown={{ name: `${name}-alerts`, ...fileOf(states, rows), json: () => rows }}
              />
            </>
          )
        }
      >
        {alerts.length > 0 && rows.length === 0 && (
          <Empty>No alert is firing. {plural(alerts.length, 'alert')} clear.</Empty>
        )}
        {alerts.length === 0 && (
          <Empty>
            No alert was evaluated yet. The operator of this server configures them.{' '}
            <a href="/docs/alerts">How alerts work</a>
          </Empty>
        )}
        {rows.length > 0 && (
          <div class="cards">
            <Table
              caption="Alerts"
              columns={states}
              rows={rows}
              rowKey={({ name, family, chainId }) => `${name} ${family} ${chainId}`}
            />
          </div>
        )}
      </Card>
      {newest.length > 0 && (
        <Card
          id="fired"
          title="Fired and cleared"
          aside={
            <ViewActions
              shown={{ name: `${name}-fired`, ...fileOf(times, newest), json: () => newest }}
            />
          }
        >
          <div class="cards">
            <Table
              caption="Times that alerts fired and cleared"
              columns={times}
              rows={newest}
              rowKey={({ id }) => id}
            />
          </div>
        </Card>
      )}
    </>
  );
}

type Vaults = readonly ListedVault<bigint>[];

function baseOf(vaults: Vaults, family: string) {
  return vaults.find(({ slug }) => slug === family)?.assets?.base ?? null;
}

function familyColumn<Row extends { readonly family: string }>(isShown: boolean): Column<Row> {
  return {
    key: 'family',
    label: 'Family',
    value: ({ family }) => family,
    ...(isShown && {
      render: ({ family }) => <FamilyLink slug={family} />,
    }),
  };
}

function nameColumn<Row extends Pick<AlertListAlert, 'name' | 'kind'>>(): Column<Row> {
  return {
    key: 'name',
    label: 'Alert',
    value: ({ name }) => cleanText(name, 80),
    render: ({ name, kind }) => (
      <span class="who">
        <span>{cleanText(name, 40)}</span>
        <small>{alertKindText(kind)}</small>
      </span>
    ),
  };
}

function stateColumns(vaults: Vaults, hasFamily: boolean): readonly Column<AlertListAlert>[] {
  return [
    nameColumn(),
    familyColumn(hasFamily),
    {
      key: 'state',
      label: 'State',
      value: ({ state }) => state,
      render: ({ state }) => <Firing isFiring={state === 'firing'} words={state} />,
    },
    {
      key: 'value',
      label: 'Last value',
      numeric: true,
      value: ({ value }) => value,
      unit: ({ unit }) => unit,
      render: ({ value, unit, family }) =>
        value === null ? (
          <Unknown why="it could not be measured" />
        ) : (
          <data value={value}>{alertValueText(value, unit, baseOf(vaults, family))}</data>
        ),
    },
    {
      key: 'since',
      label: 'Since',
      numeric: true,
      value: ({ since }) => (since === null ? null : isoOf(since)),
      render: ({ since }) => (since === null ? <Unknown why={NEVER} /> : <Age at={isoOf(since)} />),
    },
  ];
}

function timeColumns(
  vaults: Vaults,
  chainName: (chainId: number) => string,
  hasFamily: boolean,
): readonly Column<AlertListRecent>[] {
  const amount = (key: 'value' | 'bound', label: string): Column<AlertListRecent> => ({
    key,
    label,
    numeric: true,
    value: (row) => row[key],
    unit: ({ unit }) => unit,
    render: (row) => (
      <data value={row[key]}>{alertValueText(row[key], row.unit, baseOf(vaults, row.family))}</data>
    ),
  });
  return [
    nameColumn(),
    familyColumn(hasFamily),
    {
      key: 'status',
      label: 'What',
      value: ({ status }) => status,
      render: ({ status }) => <Firing isFiring={status === 'fired'} words={status} />,
    },
    amount('value', 'Value'),
    { ...amount('bound', 'Bound'), drop: 2 },
    ...chainColumns<AlertListRecent>(({ chainId }) => chainId, chainName),
    {
      key: 'block',
      label: 'Block',
      drop: 1,
      numeric: true,
      value: ({ blockNumber }) => blockNumber,
      render: ({ blockNumber, chainId }) => `${blockNumber} on ${chainName(chainId)}`,
    },
    {
      key: 'at',
      label: 'Time',
      numeric: true,
      value: ({ at }) => isoOf(at),
      render: ({ at }) => <Age at={isoOf(at)} />,
    },
  ];
}

function Firing({ isFiring, words }: { readonly isFiring: boolean; readonly words: string }) {
  return (
    <span class={isFiring ? 'state poor' : 'state good'}>
      <i aria-hidden="true" />
      {words}
    </span>
  );
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
