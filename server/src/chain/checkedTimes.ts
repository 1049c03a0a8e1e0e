import type { ChainClient, RawLog } from './chainClient.ts';

/**
 * Dates of logs are an addition to the standard. One log of a URL is compared with its block's header before any date is
 * used: a URL that dates logs wrongly is not believed, and its blocks are dated by their headers.
 */
export function withCheckedTimes(client: ChainClient): ChainClient {
  let believed: boolean | undefined;
  let checking: Promise<void> | undefined;

  return {
    ...client,
    async logs(range) {
      const logs = await client.logs(range);
      const dated = believed === false ? undefined : logs.findLast((log) => log.blockTime !== null);
      if (dated !== undefined && believed === undefined) {
        checking ??= check(dated).finally(() => {
          checking = undefined;
        });
        await checking;
      }
      return believed === true ? logs : logs.map(undated);
    },
  };

  /** A block that is not there any more, or is another now, says nothing: the next answer is compared then. */
  async function check(log: RawLog): Promise<void> {
    const header = await client.header(log.blockNumber);
    if (header?.hash === log.blockHash) believed = header.time === log.blockTime;
  }
}

function undated(log: RawLog): RawLog {
  return log.blockTime === null ? log : { ...log, blockTime: null };
}
