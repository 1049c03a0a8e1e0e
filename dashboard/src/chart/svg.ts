import { SCENE, type Shape } from './scene.ts';

/** Writes shapes as an SVG file. */
export function svgText(title: string, shapes: readonly Shape[]): string {
  const { width, height } = SCENE;
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const body = shapes.map(shapeText).join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" font-family="system-ui, sans-serif">
<title>${escaped(title)}</title>
${body}
</svg>
`;
}

function shapeText(shape: Shape): string {
  if (shape.type === 'rect') {
    const { x, y, width, height, fill } = shape;
    return `<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" fill="${fill}"/>`;
  }
  if (shape.type === 'text') {
    const { x, y, text, fill, size, anchor, isBold } = shape;
    const weight = isBold ? ' font-weight="600"' : '';
    return `<text x="${short(x)}" y="${short(y)}" fill="${fill}" font-size="${size}" text-anchor="${anchor}"${weight}>${escaped(text)}</text>`;
  }
  const { lines, stroke = 'none', fill = 'none', isDashed } = shape;
  const path = lines.map((line) => `M${line.map((point) => point.map(short).join(' ')).join('L')}`);
  const dashes = isDashed ? ' stroke-dasharray="6 6"' : '';
  return `<path d="${path.join('')}" fill="${fill}" stroke="${stroke}" stroke-width="2" stroke-linejoin="round"${dashes}/>`;
}

function short(value: number): string {
  return String(Math.round(value * 10) / 10);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]!);
}
