import { type GetEventsParameters, getEvents } from '@assay/client';
import { asked, type FreeTool } from './tool.ts';

/** An event has several hundred bytes: more would fill a model's context. */
const MAX_EVENTS = 20;

/** The feed, a few events at a time: an agent polls, and keeps the cursor. */
export const eventsTool: FreeTool = {
  name: 'assay_events',
  title: 'Poll changes',
  description: `The next ${MAX_EVENTS} changes: add the row on applied and final, delete it on retracted. Start with after=latest, and pass the cursor back as after.`,
  operations: ['getEvents'],
  input: ([events]) => {
    const { limit, wait, delivery, ...properties } = events!.input.properties as Record<
      string,
      object
    >;
    return { ...events!.input, properties };
  },
  run: async (client, args, signal) => ({
    answer: await getEvents(client, {
      ...asked<GetEventsParameters>(args, signal),
      limit: MAX_EVENTS,
    }),
  }),
};
