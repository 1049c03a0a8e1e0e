import { useEffect, useState } from 'preact/hooks';

/** Returns the time in ms, updated every few seconds while the page is visible. */
export function useNow(everyMs = 5_000): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setNow(Date.now());
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
