/** What zod found, as far as it can be cloned. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * @example
 * describeIssue({ path: ["lines", 0, "price"], message: "Invalid input: expected number, received string" });
 * // "lines[0].price: expected number, received string."
 */
export function describeIssue({ path, message }: Issue): string {
  const sentence = message.replace(/^Invalid input: /, "");
  if (path.length === 0) return `${sentence}.`;
  const missing = /^(.*), received undefined$/.exec(sentence)?.[1];
  return missing === undefined ? `${pathText(path)}: ${sentence}.` : `${pathText(path)} is missing: ${missing}.`;
}

/** `lines[0].price` */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}
