import { SCENE, type Shape } from './scene.ts';

/** Pixels per unit of the scene. */
const SCALE = 2;

/** Draws shapes as a PNG file. */
export async function pngFile(shapes: readonly Shape[]): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = SCENE.width * SCALE;
  canvas.height = SCENE.height * SCALE;
  const context = canvas.getContext('2d')!;
  context.scale(SCALE, SCALE);
  context.lineJoin = 'round';
  context.lineWidth = 2;
  for (const shape of shapes) draw(context, shape);
  return new Promise((resolve, reject) => {
    canvas.toBlob((file) => (file ? resolve(file) : reject(new Error('No PNG was made.'))));
  });
}

function draw(context: CanvasRenderingContext2D, shape: Shape): void {
  if (shape.type === 'rect') {
    context.fillStyle = shape.fill;
    context.fillRect(shape.x, shape.y, shape.width, shape.height);
    return;
  }
  if (shape.type === 'text') {
    context.fillStyle = shape.fill;
    context.font = `${shape.isBold ? '600 ' : ''}${shape.size}px system-ui, sans-serif`;
    context.textAlign = shape.anchor === 'middle' ? 'center' : shape.anchor;
    context.fillText(shape.text, shape.x, shape.y);
    return;
  }
  const path = new Path2D();
  for (const line of shape.lines) {
    for (const [index, [x, y]] of line.entries()) {
      if (index === 0) path.moveTo(x, y);
      else path.lineTo(x, y);
    }
  }
  context.setLineDash(shape.isDashed ? [6, 6] : []);
  if (shape.fill !== undefined) {
    context.fillStyle = shape.fill;
    context.fill(path);
  }
  if (shape.stroke !== undefined) {
    context.strokeStyle = shape.stroke;
    context.stroke(path);
  }
}
