import { createViewReader, packView, VIEW_FORMAT } from '../../riskThread/viewBlocks.ts';
import { riskImports } from '../../store/risk/imports.ts';
import { type KeptView, riskViews } from '../../store/risk/views.ts';
import type { Store } from '../../store/store.ts';
import { type GraphView, openView } from './loadView.ts';

/** Nodes: below, building a view takes no longer than a second or two. */
export const LARGE_GRAPH = 20_000;
/** A view that was written down is not replaced before. */
const KEEP_SECONDS = 600;
/** No chain has this id: the key under which one server writes. */
const LEAD_KEY = -2;

/** What a server has written down, which may show an older version of the graph; undefined when there is nothing. */
export async function readKeptView(store: Pick<Store, 'query'>): Promise<GraphView | undefined> {
  const kept = await riskViews.find(store, VIEW_FORMAT);
  // A newer one than the graph itself is of a database that was since set back.
  if (kept === undefined || kept.version > (await riskImports.findVersion(store))) return undefined;
  const reader = createViewReader(kept.layout);
  for (let part = 0; part < reader.parts; part++) {
    const bytes = await riskViews.readPart(store, kept, part);
    if (bytes === undefined) return undefined;
    reader.add(bytes);
  }
  return openView(kept.version, reader.finish());
}

/** Writes a view of a large graph down for servers that start later, unless another has done so of late. */
export async function keepView(
  store: Pick<Store, 'query' | 'transaction' | 'lead'>,
  view: GraphView,
  options: { readonly now: number; readonly from: number; readonly isStopped: () => boolean },
): Promise<void> {
  const { now, from, isStopped } = options;
  if (view.version < 0 || view.search.size < from) return;
  const leadership = await store.lead(LEAD_KEY);
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
      await riskViews.addPart(store, kept, part++, bytes);
    }
    await riskViews.finish(store, kept);
  } finally {
    await leadership.release();
  }
}
