import type { RiskDependencies, RiskEdge, RiskNeighbor } from '@assay/client';
import { graphlib, layout } from '@dagrejs/dagre';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { cleanText } from '../format/text.ts';
import { edgeLabel, nameOf } from './labels.ts';

export interface GraphProps {
  readonly root: Pick<RiskDependencies, 'nodeId' | '_riskTier'>;
  readonly graph: { readonly nodes: readonly RiskNeighbor[]; readonly edges: readonly RiskEdge[] };
  /** The neighbor whose details are shown; its edge is highlighted. */
  readonly shown: string | undefined;
  readonly onPoint: (id: string | undefined) => void;
  readonly onChoose: (id: string) => void;
}

const HEIGHT = 44;

/** On a phone, the graph fits the screen, and only the list has the edge labels. */
const WIDE = { node: 190, gap: 60, letters: 22, words: true } as const;
const NARROW = { node: 128, gap: 24, letters: 13, words: false } as const;
type Size = typeof WIDE | typeof NARROW;
const PHONE = '(max-width: 720px)';

function useSize(): Size {
  const [isPhone, setPhone] = useState(() => matchMedia(PHONE).matches);
  useEffect(() => {
    const media = matchMedia(PHONE);
    const look = () => setPhone(media.matches);
    media.addEventListener('change', look);
    return () => media.removeEventListener('change', look);
  }, []);
  return isPhone ? NARROW : WIDE;
}

/** Draws the dependencies in layers. Keyboards and screen readers use the list next to it. */
export function Graph({ root, graph, shown, onPoint, onChoose }: GraphProps) {
  const size = useSize();
  const { nodes, edges, width, height } = useMemo(() => place(root, graph, size), [graph, size]);
  return (
    <svg
      class={shown === undefined ? 'graph' : 'graph dimmed'}
      viewBox={`-8 -8 ${width + 16} ${height + 16}`}
      style={{ maxInlineSize: `${width + 16}px`, '--natural': `${width + 16}px` }}
      aria-hidden="true"
    >
      <defs>
        <marker
          id="tip"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto"
        >
          <path d="M0 0 8 4 0 8z" />
        </marker>
      </defs>
      {edges.map(({ key, target, path }) => (
        <g key={key} class={target === shown ? 'edge lit' : 'edge'}>
          <path d={path} marker-end="url(#tip)" />
        </g>
      ))}
      {/* Drawn after all lines, so that no line crosses the text. */}
      {(size.words ? edges : []).map(({ key, target, x, y, words }) => (
        <g key={`${key} words`} class={target === shown ? 'edge lit' : 'edge'}>
          <text x={x} y={y + 3}>
            {words}
          </text>
        </g>
      ))}
      {nodes.map(({ id, x, y, name, letter, isRoot }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the list beside it is what keys operate.
        <g
          key={id}
          class={`vertex grade-${letter}${isRoot || id === shown ? ' lit' : ''}`}
          transform={`translate(${x - size.node / 2} ${y - HEIGHT / 2})`}
          onPointerEnter={() => !isRoot && onPoint(id)}
          onPointerLeave={() => onPoint(undefined)}
          onClick={() => !isRoot && onChoose(id)}
        >
          <rect width={size.node} height={HEIGHT} rx="8" />
          <rect class="badge" x="9" y={HEIGHT / 2 - 11} width="22" height="22" rx="5" />
          <text class="letter" x="20" y={HEIGHT / 2 + 5}>
            {letter}
          </text>
          <text x="38" y={HEIGHT / 2 + 4}>
            {name}
          </text>
        </g>
      ))}
    </svg>
  );
}

function place(
  { nodeId, _riskTier }: GraphProps['root'],
  { nodes, edges }: GraphProps['graph'],
  sizes: Size,
) {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 18, edgesep: 14, ranksep: sizes.gap });
  const size = { width: sizes.node, height: HEIGHT };
  const known = new Map(nodes.map((one) => [one.id, one]));
  graph.setNode(nodeId, { ...size });
  for (const { id } of nodes) graph.setNode(id, { ...size });
  for (const { sourceId, targetId, type } of edges) {
    const words = edgeLabel(type);
    const label = { width: words.length * 6.2 + 12, height: 14, labelpos: 'c' };
    graph.setEdge(sourceId, targetId, sizes.words ? label : {}, type);
  }
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width,
    height,
    nodes: graph.nodes().map((id) => {
      const { x, y } = graph.node(id) as { x: number; y: number };
      const neighbor = known.get(id);
      return {
        id,
        x,
        y,
        name: cleanText(neighbor ? nameOf(neighbor) : 'this pool', sizes.letters),
        letter: neighbor?._riskTier ?? _riskTier,
        isRoot: id === nodeId,
      };
    }),
    edges: graph.edges().map((edge) => {
      const {
        points,
        x = 0,
        y = 0,
      } = graph.edge(edge) as {
        points: { x: number; y: number }[];
        x?: number;
        y?: number;
      };
      return {
        key: `${edge.v} ${edge.w} ${edge.name}`,
        target: edge.w,
        path: curve(points),
        x,
        y,
        words: edgeLabel(edge.name ?? ''),
      };
    }),
  };
}

/** Returns a path through the midpoints between the points, curved toward each point. */
function curve(points: readonly { readonly x: number; readonly y: number }[]): string {
  const [first, ...rest] = points;
  const bends = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1]!;
    const isLast = index === rest.length - 2;
    const end = isLast ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${point.x} ${point.y} ${end.x} ${end.y}`;
  });
  return `M${first!.x} ${first!.y}${bends.join('')}`;
}
