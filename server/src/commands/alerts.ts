import { valueText } from '../domain/alerts/text.ts';
import { toIso } from '../domain/time.ts';
import { alertLists, type ListedAlert } from '../store/alerts/readAlerts.ts';
import { ALONE } from './command.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';

export const alertsList: StoreCommand<object> = {
  name: 'alerts',
  async runOn({ config, store }, _args, print) {
    const rules = config.alerts?.rules ?? [];
    if (rules.length === 0) {
      print(`${config.file} has no alerts; add them under alerts.rules`);
      return 0;
    }
    const names = rules.map(({ name }) => name);
    const all = await alertLists.getAll(store, names, null);
    const chainNames = new Map(config.chains.map(({ chainId, name }) => [chainId, name]));
    for (const alert of all) print(line(alert, chainNames.get(alert.chainId)));
    for (const name of names.filter((one) => !all.some((alert) => alert.name === one))) {
      print(`waiting  ${name}  not evaluated yet: no family is followed at its head`);
    }
    print(`${all.filter(({ active }) => active).length} of ${all.length} alerts are firing`);
    return 0;
  },
};

export const command = onStore(alertsList, {
  ...ALONE,
  usage: 'assay alerts [--config FILE]',
  details:
    'Lists each alert of the configuration by family: whether it is firing, since when, and its last value. Works while the server runs.',
});

function line(alert: ListedAlert, chain = String(alert.chainId)): string {
  const { name, family, kind, active, since, value, assetDecimals, assetSymbol } = alert;
  const asset =
    assetDecimals === null || assetSymbol === null
      ? null
      : { decimals: assetDecimals, symbol: assetSymbol };
  const shown = value === null ? 'unknown' : valueText(kind, value, asset);
  const state = active ? 'firing ' : 'clear  ';
  return `${state}  ${name}  ${family} on ${chain}  since ${since === null ? '-' : toIso(since)}  ${shown}`;
}
