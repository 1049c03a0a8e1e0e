import type { Label } from '../../domain/risk/graph.ts';
import { labelOfId } from '../../domain/risk/nodeId.ts';
import type { KeyedNode } from '../../store/risk/keys.ts';
import { isAddress, isRightlySpelled, WRONG_CHECKSUM } from '../checksum.ts';
import { type ParameterReader, readParameters } from '../parameters.ts';
import { Ambiguous, type BadParameters } from '../problem.ts';
import type { RouteRequest } from '../route.ts';
import { CHAIN_ID } from '../routeParameters.ts';
import { readRequired } from './agentParameters.ts';
import type { LiveGraph } from './liveGraph.ts';

/** The node of a request: by id, or by the address or unique key of a search result. */
export interface NodeName {
  readonly text: string;
  /** Restricts an address or unique key; not needed with an id. */
  readonly chainId: number | undefined;
  readonly parameter: 'nodeId' | 'nodeIds';
}

/** Maximum number of nodes per request. */
export const MAX_NODES = 20;

export function readNodeName(
  request: RouteRequest,
  textOf: (read: ParameterReader) => string,
): NodeName {
  return readParameters((read) => {
    const text = textOf(read);
    if (isAddress(text) && !isRightlySpelled(text)) read.mistake('nodeId', WRONG_CHECKSUM);
    return { text, chainId: read.optionalInteger('chainId', CHAIN_ID), parameter: 'nodeId' };
  }, request);
}

/** Reads `nodeIds`: names separated by commas, all different. */
export function readNodeNames(request: RouteRequest): readonly NodeName[] {
  return readParameters((read) => {
    const texts = (readRequired(read, request, 'nodeIds') ?? '').split(',');
    const lower = texts.map((text) => text.toLowerCase());
    const twice = texts.find((_, i) => lower.indexOf(lower[i]!) < i);
    const wrong = texts.find((text) => isAddress(text) && !isRightlySpelled(text));
    if (texts.length > MAX_NODES) {
      read.mistake('nodeIds', `lists ${texts.length} nodes; the maximum is ${MAX_NODES}`);
    } else if (texts.length > 1 && texts.includes('')) {
      read.mistake('nodeIds', 'has an empty name; put one comma between names');
    } else if (twice !== undefined) {
      read.mistake('nodeIds', `lists ${twice} twice; list each node once`);
    } else if (wrong !== undefined) {
      read.mistake('nodeIds', `has ${wrong}, which ${WRONG_CHECKSUM}`);
    }
    const chainId = read.optionalInteger('chainId', CHAIN_ID);
    return texts.map((text) => ({ text, chainId, parameter: 'nodeIds' }));
  }, request);
}

/**
 * Returns the id of the node with that name, with one label if only that is sold; undefined if there is none. Several
 * matches are rejected, so that a client is never charged for a node it did not mean.
 */
export async function findNodeId(
  graph: Pick<LiveGraph, 'findByKey'>,
  name: NodeName,
  label?: Label,
): Promise<string | undefined> {
  const { text, chainId } = name;
  const id = text.toLowerCase();
  if (labelOfId(id) !== undefined) return id;
  const found = await graph.findByKey(text, chainId);
  const fitting = label === undefined ? found : found.filter((node) => node.label === label);
  // Any other match is rejected because of its label.
  const nodes = fitting.length > 0 ? fitting : found.slice(0, 1);
  if (nodes.length > 1) throw ambiguous(nodes, name);
  return nodes[0]?.id;
}

function ambiguous(
  nodes: readonly KeyedNode[],
  { text, chainId, parameter }: NodeName,
): BadParameters {
  const ids = nodes.map(({ id }) => id);
  const others = chainId === undefined ? ', or add chainId' : '';
  const which = parameter === 'nodeId' ? '' : ` with ${text}`;
  const reason = `matches several nodes${which}: use one of their ids (${ids.join(', ')})${others}`;
  return new Ambiguous([{ parameter, reason }], ids);
}
