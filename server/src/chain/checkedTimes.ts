import type { ChainClient, RawLog } from './chainClient.ts';

/**
 * Timestamps of logs are an addition to the standard. One log of a URL is compared with its block's header before any
 * timestamp is used: after a mismatch, the URL's blocks are dated by their headers.
 */
export function withCheckedTimes(client: ChainClient): ChainClient {
  let trusted: boolean | undefined;
  let checking: Promise<void> | undefined;

  return {
    ...client,
    async logs(range) {
      const logs = await client.logs(range);
      const dated = trusted === false ? undefined : logs.findLast((log) => log.blockTime !== null);
      if (dated !== undefined && trusted === undefined) {
        checking ??= check(dated).finally(() => {
          checking = undefined;
        });
        await checking;
      }
      return trusted === true ? logs : logs.map(undated);
    },
  };

  /** A block that no longer exists, or was replaced, proves nothing: the next result is compared. */
  async function check(log: RawLog): Promise<void> {
    const header = await client.header(log.blockNumber);
    if (header?.hash === log.blockHash) trusted = header.time === log.blockTime;
  }
}

function undated(log: RawLog): RawLog {
  return log.blockTime === null ? log : { ...log, blockTime: null };
}
