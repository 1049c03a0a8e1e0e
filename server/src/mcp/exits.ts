import { type GetExitTermsParameters, getExits, getExitTerms } from '@assay/client';
import { asked, type FreeTool } from './tool.ts';

/** One tool for waits and terms, because a model reads every tool first. */
export const exitsTool: FreeTool = {
  name: 'assay_exits',
  title: 'Read exit waits and terms',
  description:
    'Measured waits, the queue, and, live per chain, the outcome of an exit of `assets`, its fee, and limits.',
  operations: ['getExitTerms', 'getExits'],
  input: ([terms]) => terms!.input,
  async run(client, args, signal) {
    const requested = asked<GetExitTermsParameters>(args, signal);
    const [exits, terms] = await Promise.all([
      getExits(client, { slug: requested.slug, signal }),
      getExitTerms(client, requested),
    ]);
    return { answer: { ...exits, terms } };
  },
};
