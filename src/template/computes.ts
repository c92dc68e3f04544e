/**
 * Whether the code of a `variables.ts` makes something else of what an application passes, before tags see it: `derive`, or
 * what a schema does with its values. A contract alone does not tell where both are of one type.
 *
 * @example
 * computes("export default z.object({ name: z.string().trim() });"); // true
 */
export function computes(code: string): boolean {
  return COMPUTES.test(code);
}

const COMPUTES =
  /\bderive\b|\bz\.(?:coerce|codec|preprocess|stringbool)\b|\.(?:catch|normalize|overwrite|pipe|slugify|toLowerCase|toUpperCase|transform|trim)\s*\(/;
