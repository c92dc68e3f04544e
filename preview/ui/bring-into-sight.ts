/**
 * Scrolls one container until an element in it is visible. `scrollIntoView` would also scroll everything around the
 * container, and Tab would continue from the element.
 */
export const bringIntoSight = (element: Element | null | undefined, scroller: Element | null): void => {
  if (!element || !scroller) return;
  const own = element.getBoundingClientRect();
  const around = scroller.getBoundingClientRect();
  const { scrollPaddingTop, scrollPaddingBottom, scrollPaddingLeft, scrollPaddingRight } = getComputedStyle(scroller);
  const beyond = (from: number, to: number, start: number, end: number) =>
    from < start ? from - start : Math.min(from - start, Math.max(0, to - end));
  scroller.scrollTop += beyond(
    own.top,
    own.bottom,
    around.top + pixels(scrollPaddingTop),
    around.bottom - pixels(scrollPaddingBottom),
  );
  scroller.scrollLeft += beyond(
    own.left,
    own.right,
    around.left + pixels(scrollPaddingLeft),
    around.right - pixels(scrollPaddingRight),
  );
};

/** `auto` counts as 0. */
const pixels = (length: string): number => Number.parseFloat(length) || 0;
