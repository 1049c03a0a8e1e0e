import type { Case } from './cases.ts';
import { fitHazard } from './hazardFit.ts';
import { closed } from './outcomes.ts';
import type { Server, Tables } from './server.ts';

/** From 2022-11 to the list of 2026-04. */
export const CLOSURE_YEARS = 41 / 12;
/** Weaker than for losses, because ten times as many protocols closed as lost. */
const PULL = 2;
const NO_TVL = 'unknown';

/** Fits the weights on protocols of this half that the later list still has. */
export function fitClosureWeights(seen: readonly Case[], server: Server): Tables {
  const columns = ['tvl', 'token'].flatMap((factor) =>
    Object.keys(server.closureWeights[factor]!)
      .filter((band) => band !== NO_TVL)
      .map((band) => ({ factor, band })),
  );
  const learned = seen.filter(({ outcome }) => outcome?.closed !== undefined);
  const rows = learned.map((one) => {
    const { tvl, token, fork } = server.closureBands(one.facts);
    const values = columns.map(({ factor, band }) =>
      factor === 'tvl'
        ? tvl.reduce((sum, each) => sum + (each.band === band ? each.share : 0), 0)
        : Number(token === band),
    );
    return { values: [...values, Number(fork === 'yes')], happened: closed(one) };
  });
  const { base, logs } = fitHazard(rows, PULL);
  const tableOf = (factor: string) =>
    Object.fromEntries(
      columns.flatMap((column, place) =>
        column.factor === factor ? [[column.band, Math.exp(logs[place]!)]] : [],
      ),
    );
  const tvl = tableOf('tvl');
  const mean =
    rows.reduce((sum, { values }) => {
      const log = columns.reduce(
        (total, { factor }, place) =>
          factor === 'tvl' ? total + values[place]! * logs[place]! : total,
        0,
      );
      return sum + Math.exp(log);
    }, 0) / rows.length;
  return {
    anchor: { any: (100 * Math.exp(base)) / CLOSURE_YEARS },
    tvl: { ...tvl, [NO_TVL]: mean },
    token: tableOf('token'),
    fork: { no: 1, yes: Math.exp(logs.at(-1)!) },
  };
}
