/** Whether a text comes back as it was sent: it has no U+0000 and no half of a surrogate pair. */
export function isText(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}
