import { type GetAllocationSeriesParameters, getAllocationSeries } from '@assay/client';
import { asked, type FreeTool } from './tool.ts';

/** Each point lists every pool: more would fill a model's context. */
const MAX_POINTS = 30;

/** The pools of a family over time. */
export const allocationTool: FreeTool = {
  name: 'assay_allocation',
  title: 'Read the allocation over time',
  description: `Value of a family's pools over time, oldest first, at most the newest ${MAX_POINTS} points.`,
  operations: ['getAllocationSeries'],
  async run(client, args, signal) {
    const ticks = await getAllocationSeries(
      client,
      asked<GetAllocationSeriesParameters>(args, signal),
    );
    return { answer: { ticks: ticks.slice(-MAX_POINTS), count: ticks.length } };
  },
};
