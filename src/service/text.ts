/** Whether a string is stored unchanged: it contains no U+0000 and no lone surrogates. */
export function isText(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}
