/** The explicit argument for deleting everything, so that nothing is deleted because of a stray value. */
export interface All {
  readonly all: true;
}

/** @throws TypeError, for callers without types. */
export function requireAll(guard: All, what: string): void {
  if ((guard as Partial<All> | undefined)?.all === true) return;
  throw new TypeError(`To delete all ${what} of a domain, pass { all: true } as the second argument.`);
}
