/** Position and size of an element of the email, in the email's pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Maximum number of copies of one element that are highlighted. */
const MOST = 60;

/** The boxes of all elements that come from one place in the source: a section repeats its elements for each item. */
export function boxesOf(email: Document, place: number): readonly Box[] {
  const { scrollX = 0, scrollY = 0 } = email.defaultView ?? {};
  return [...email.querySelectorAll(`[data-place="${place}"]`)].slice(0, MOST).flatMap((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return width + height > 0 ? [{ left: left + scrollX, top: top + scrollY, width, height }] : [];
  });
}

/** The innermost element at a point that comes from a source. */
export function placeAt(email: Document, x: number, y: number): number | undefined {
  return placeOf(email.elementFromPoint(x, y)?.closest("[data-place]"));
}

export function placesIn(email: Document): readonly number[] {
  const places = [...email.querySelectorAll("body [data-place]")].flatMap((element) => placeOf(element) ?? []);
  return [...new Set(places)].filter((place) => boxesOf(email, place).length > 0);
}

function placeOf(element: Element | null | undefined): number | undefined {
  const written = element?.getAttribute("data-place");
  return written ? Number(written) : undefined;
}
