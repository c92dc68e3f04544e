/** The HTML of an element whose components have nothing but their properties. */
export function htmlOf(element: unknown, renderToStaticMarkup: (element: unknown) => string): string {
  return withoutReactMarks(renderToStaticMarkup(element));
}

const MARKS = /<!--\/?\$[!?~&]?-->|<!-- -->/g;
const IMAGE_PRELOAD = /<link (?=[^>]*\brel="preload")(?=[^>]*\bas="image")[^>]*>/g;

/** React marks the boundaries of texts and suspended parts, and tells browsers to preload images. */
export function withoutReactMarks(html: string): string {
  return html.replace(MARKS, "").replace(IMAGE_PRELOAD, "").replaceAll("\0", "");
}
