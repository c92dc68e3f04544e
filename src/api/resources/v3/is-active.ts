/** A boolean in version 3's URL format. */
export function asDigit(active: boolean | undefined): 1 | 0 | undefined {
  return active === undefined ? undefined : active ? 1 : 0;
}
