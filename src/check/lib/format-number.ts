/** `104448` as `104,448`. */
export function formatNumber(count: number): string {
  return count.toLocaleString("en-US");
}
