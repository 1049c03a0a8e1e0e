import { useContext, useEffect, useState } from 'preact/hooks';
import { saveFile } from '../components/download.tsx';
import { PreviousContext } from '../components/previous.ts';
import { dayText } from '../format/time.ts';
import { colorsOf } from './options.ts';
import { pngFile } from './png.ts';
import { type Drawing, sceneOf } from './scene.ts';
import { svgText } from './svg.ts';

/** Buttons that save a chart as a picture, and show it on the full screen. */
export function PlotActions({
  drawing,
  plot,
}: {
  readonly drawing: () => Omit<Drawing, 'color' | 'timeText'>;
  /** The element to show on the full screen. */
  readonly plot: () => HTMLElement;
}) {
  const isPrevious = useContext(PreviousContext);
  return (
    <div class="exports">
      <button type="button" class="quiet" disabled={isPrevious} onClick={savePng}>
        PNG
      </button>
      <button type="button" class="quiet" disabled={isPrevious} onClick={saveSvg}>
        SVG
      </button>
      {document.fullscreenEnabled && (
        <button type="button" class="quiet" onClick={() => void toggle(plot())}>
          Full screen
        </button>
      )}
    </div>
  );

  function scene() {
    const drawn = drawing();
    const color = colorsOf(plot());
    const shapes = sceneOf({ ...drawn, color, timeText: (seconds) => dayText(seconds * 1000) });
    return { title: drawn.title, shapes };
  }

  async function savePng(): Promise<void> {
    const { title, shapes } = scene();
    saveFile(`${title}.png`, await pngFile(shapes));
  }

  function saveSvg(): void {
    const { title, shapes } = scene();
    saveFile(`${title}.svg`, new Blob([svgText(title, shapes)], { type: 'image/svg+xml' }));
  }
}

async function toggle(element: HTMLElement): Promise<void> {
  if (document.fullscreenElement === element) await document.exitFullscreen();
  else await element.requestFullscreen();
}

/** Space on a full screen for what is above and below the chart. */
const AROUND = 140;

/** Returns the height for a chart: the given one, or most of the screen while it is shown there. */
export function useFullHeight(
  plot: { readonly current: HTMLElement | null },
  height: number,
): number {
  const [full, setFull] = useState<number | undefined>(undefined);
  useEffect(() => {
    const look = () => {
      const isFull = plot.current !== null && document.fullscreenElement === plot.current;
      setFull(isFull ? Math.max(200, innerHeight - AROUND) : undefined);
    };
    document.addEventListener('fullscreenchange', look);
    addEventListener('resize', look);
    return () => {
      document.removeEventListener('fullscreenchange', look);
      removeEventListener('resize', look);
    };
  }, []);
  return full ?? height;
}
