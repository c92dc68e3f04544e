/** Where an element of an email is, in the email's pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** More copies of one element than this are not worth pointing at. */
const MOST = 60;

/** Of all elements that were written at a place: a section shows what is in it once for each item. */
export function boxesOf(email: Document, place: number): readonly Box[] {
  const { scrollX = 0, scrollY = 0 } = email.defaultView ?? {};
  return [...email.querySelectorAll(`[data-place="${place}"]`)].slice(0, MOST).flatMap((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return width + height > 0 ? [{ left: left + scrollX, top: top + scrollY, width, height }] : [];
  });
}

/** The innermost element there that was written in a source. */
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
