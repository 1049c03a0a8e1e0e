import type { FlagValues } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import { toIso } from '../domain/time.ts';
import { riskRead } from '../store/risk/read.ts';
import { riskRecords } from '../store/risk/records.ts';
import { CONFIG } from './command.ts';
import { printable } from './riskTotals.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';

export const riskShow: StoreCommand<{ readonly id: string }> = {
  name: 'risk show',
  async runOn({ store }, { id }, print) {
    const found = await riskRead.findNode(store, id);
    if (found === undefined) {
      print(`no node ${JSON.stringify(id)}; ids look like protocol:aave-v3 or asset:base:0x…`);
      return 1;
    }
    const { node, sources, lastUpdatedAt, graded, gradedAt } = found;
    const records = (await riskRecords.getOfIds(store, [node.id])).get(node.id) ?? [];
    print(`${node.id}  ${node.label}  last changed ${toIso(lastUpdatedAt)}`);
    print(
      `grade ${graded.grade}, score ${graded.score}, ${Math.round(graded.coverage * 100)}% of facts known, ` +
        `method ${graded.methodVersion}, input ${graded.inputHash}, graded ${toIso(gradedAt)}`,
    );
    print('facts:');
    for (const [fact, value] of Object.entries(node.facts).sort()) {
      const source = sources[fact];
      const cited = records.find((record) => record.source === source)?.citations?.[fact];
      const where = cited === undefined ? source : `${source}: ${cited.source}, ${cited.date}`;
      print(printable(`  ${fact}: ${JSON.stringify(value)}  (${where})`));
    }
    print('edges:');
    for (const { source, edges } of records) {
      for (const edge of edges) {
        print(printable(`  ${edge.type} ${edge.targetId}, weight ${edge.weight}  (${source})`));
      }
    }
    print('reasons:');
    for (const { question, answer } of graded.breakdown)
      print(printable(`  ${question} ${answer}`));
    return 0;
  },
};

export const command = onStore(riskShow, {
  usage: 'assay risk show ID [--config FILE]',
  details: 'ID is an id of the API: protocol:aave-v3, chain:base, asset:base:0x…, pool:base:0x….',
  flags: { config: CONFIG },
  argument: 'ID',
  read(_flags: FlagValues, id: string | undefined) {
    if (id === undefined) {
      throw new UsageError('specify a node, for example: assay risk show protocol:aave-v3');
    }
    return { id };
  },
});
