let segmenter: Intl.Segmenter | undefined;

/** The end of each user-perceived character, in UTF-16 units. */
export function characterEnds(text: string): number[] {
  // Creating a segmenter takes longer than segmenting most texts.
  if (/^[ -~]*$/.test(text)) return Array.from(text, (_, index) => index + 1);
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ index, segment }) => index + segment.length);
}
