/** What does not match a schema, and where. Plain data: it crosses threads. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  /** `expected a number, found "12"` */
  readonly message: string;
}

/**
 * @example
 * describeIssue({ path: ["lines", 0, "price"], message: 'expected a number, found "12"' });
 * // 'lines[0].price: expected a number, found "12".'
 */
export function describeIssue({ path, message }: Issue): string {
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  return path.length === 0 ? sentence : `${pathText(path)}: ${sentence}`;
}

/** `lines[0].price` */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}
