/** A yes or no as version 3 has it in addresses. */
export function asDigit(active: boolean | undefined): 1 | 0 | undefined {
  return active === undefined ? undefined : active ? 1 : 0;
}
