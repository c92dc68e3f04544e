const LONGEST = 60;

/** What is written, short enough for a sentence. */
export function excerpt(written: string): string {
  const short = written.replaceAll(/\s+/g, " ").trim();
  return short.length > LONGEST ? `${short.slice(0, LONGEST - 1).trimEnd()}…` : short;
}
