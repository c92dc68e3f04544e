let segmenter: Intl.Segmenter | undefined;

/** Where each character ends, as people see them, in UTF-16 units. */
export function characterEnds(text: string): number[] {
  // Making a segmenter takes longer than most texts.
  if (/^[ -~]*$/.test(text)) return Array.from(text, (_, index) => index + 1);
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ index, segment }) => index + segment.length);
}
