import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Skeleton } from './states.tsx';

/** A background tab paints no frames: render after this time anyway. */
const UNSEEN_MS = 500;

/** Defers content further down the page until the content above it is painted. */
export function Deferred({ children }: { readonly children: () => ComponentChildren }) {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    const draw = () => setPainted(true);
    let timer = setTimeout(draw, UNSEEN_MS);
    // The callback runs before its frame is painted, so the timeout runs after it. An effect can run before a slow paint.
    const frame = requestAnimationFrame(() => {
      clearTimeout(timer);
      timer = setTimeout(draw);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return isPainted ? children() : <Skeleton lines={10} />;
}
