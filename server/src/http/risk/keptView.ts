import { createViewReader, packView, VIEW_FORMAT } from '../../risk/thread/viewBlocks.ts';
import { LEADS } from '../../store/leads.ts';
import { riskImports } from '../../store/risk/imports.ts';
import { type KeptView, riskViews } from '../../store/risk/views.ts';
import type { Store } from '../../store/store.ts';
import { type GraphView, openView } from './loadView.ts';

/** Number of nodes below which a view is built within two seconds. */
export const LARGE_GRAPH = 20_000;
/** A stored view is not replaced earlier. */
const KEEP_SECONDS = 600;

/** Loads the stored view, which may be an older version of the graph; undefined if there is none. */
export async function readKeptView(store: Pick<Store, 'query'>): Promise<GraphView | undefined> {
  const kept = await riskViews.find(store, VIEW_FORMAT);
  // A view newer than the graph is from before the database was restored.
  if (kept === undefined || kept.version > (await riskImports.findVersion(store))) return undefined;
  const reader = createViewReader(kept.layout);
  for (let part = 0; part < reader.parts; part++) {
    const bytes = await riskViews.readPart(store, kept, part);
    if (bytes === undefined) return undefined;
    reader.add(bytes);
  }
  return openView(kept.version, reader.finish());
}

/** Stores the view of a large graph for servers that start later, unless another did so recently. */
export async function keepView(
  store: Pick<Store, 'query' | 'transaction' | 'lead'>,
  view: GraphView,
  options: { readonly now: number; readonly from: number; readonly isStopped: () => boolean },
): Promise<void> {
  const { now, from, isStopped } = options;
  if (view.version < 0 || view.search.size < from) return;
  const leadership = await store.lead(LEADS.riskGraph);
  if (leadership === undefined) return;
  try {
    const last = await riskViews.find(store, VIEW_FORMAT);
    if (last !== undefined && (last.version === view.version || now - last.keptAt < KEEP_SECONDS))
      return;
    const { layout, parts } = packView(view.data);
    const { version } = view;
    const kept: KeptView = { format: VIEW_FORMAT, version, layout, keptAt: now };
    let part = 0;
    for (const bytes of parts()) {
      if (isStopped()) return;
      await leadership.transaction((tx) => riskViews.addPart(tx, kept, part, bytes));
      part += 1;
    }
    await riskViews.finish(leadership, kept);
  } finally {
    await leadership.release();
  }
}
