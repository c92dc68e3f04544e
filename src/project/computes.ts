/**
 * Whether a `variables.ts` changes the values that an application passes before tags see them: with `derive`, or with a
 * transforming schema. The contract can't show this when the type stays the same.
 *
 * @example
 * computes("export default z.object({ name: z.string().trim() });"); // true
 */
export function computes(code: string): boolean {
  return COMPUTES.test(code);
}

const COMPUTES =
  /\bderive\b|\bz\.(?:coerce|codec|preprocess|stringbool)\b|\.(?:catch|normalize|overwrite|pipe|slugify|toLowerCase|toUpperCase|transform|trim)\s*\(/;
