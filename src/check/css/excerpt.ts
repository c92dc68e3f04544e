const LONGEST = 60;

/** Collapses white space and shortens text to fit into a message. */
export function excerpt(written: string): string {
  const short = written.replaceAll(/\s+/g, " ").trim();
  return short.length > LONGEST ? `${short.slice(0, LONGEST - 1).trimEnd()}…` : short;
}
