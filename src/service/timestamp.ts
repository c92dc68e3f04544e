/** A time as version 4 shows it: ISO 8601 in UTC, in whole seconds (part 2). */
export function isoSeconds(time: number): string {
  return `${new Date(time).toISOString().slice(0, -".000Z".length)}Z`;
}
