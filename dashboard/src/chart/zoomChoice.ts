import type { Span } from './line.ts';

/** What the page knows of a plot's zoom. */
interface Page {
  readonly zoom?: Span | undefined;
  readonly onZoom?: ((span: Span | undefined) => void) | undefined;
}

/** Distinguishes the ranges that a user chooses in a plot from those that the page asked for, and reports a choice to the page. */
export interface ZoomChoice {
  /** A choice that the page does not have yet: new data must not undo it. */
  readonly pending: { readonly span: Span | undefined } | undefined;
  /** Call with what the plot shows because the page asked for it. */
  follow(shown: Span): void;
  /** Call with each range that the plot shows, undefined for all data. Reports it once it no longer changes. */
  show(span: Span | undefined): void;
  forget(): void;
}

const REPORT_MS = 200;

export function createZoomChoice(page: () => Page): ZoomChoice {
  let followed: Span | undefined;
  let pending: ZoomChoice['pending'];
  let later: ReturnType<typeof setTimeout> | undefined;
  return {
    get pending() {
      return pending;
    },
    follow(shown) {
      followed = shown;
    },
    show(span) {
      const { onZoom } = page();
      if (onZoom === undefined) return;
      clearTimeout(later);
      pending = isNews(span) ? { span } : undefined;
      later = setTimeout(() => {
        pending = undefined;
        if (isNews(span)) onZoom(span);
      }, REPORT_MS);
    },
    forget() {
      clearTimeout(later);
      pending = undefined;
    },
  };

  function isNews(span: Span | undefined): boolean {
    const known = page().zoom;
    const isKnown = [known, followed].some((one) => span && one && isClose(span, one));
    return span !== known && !isKnown;
  }
}

/** The URL has integer seconds. */
export function isClose(a: Span, b: Span): boolean {
  return Math.abs(a.min - b.min) <= 1 && Math.abs(a.max - b.max) <= 1;
}
