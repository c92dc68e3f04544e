/** What deleting everything takes: written out, so that nothing is deleted by a value that happens to be there. */
export interface All {
  readonly all: true;
}

/** @throws TypeError, for callers without types. */
export function requireAll(guard: All, what: string): void {
  if ((guard as Partial<All> | undefined)?.all === true) return;
  throw new TypeError(`Deleting all ${what} of a domain takes { all: true } as its second argument.`);
}
