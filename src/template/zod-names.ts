import { nearest } from "../text/nearest.js";

/**
 * A suggestion for a mistyped zod function, if an error message says that there is no such function.
 *
 * @example
 * await zodNameMeant("TypeError: z.objekt is not a function"); // "Did you mean z.object?"
 * await zodNameMeant("TypeError: z.string(...).mni is not a function"); // "Did you mean min?"
 */
export async function zodNameMeant(message: string): Promise<string | undefined> {
  const [, chain, name = ""] = /\bz((?:\.\w+\(\.\.\.\))*)\.(\w+) is not a function$/.exec(message) ?? [];
  if (name === "") return undefined;
  const { z } = await import("zod");
  const schemas = () => [z.string(), z.number(), z.array(z.unknown()), z.object({})];
  const near = chain === "" ? nearest(name, Object.keys(z)) : nearest(name, schemas().flatMap(membersOf));
  return near === undefined ? undefined : `Did you mean ${chain === "" ? `z.${near}` : near}?`;
}

/** Own and inherited members. */
function membersOf(schema: object): string[] {
  const above: unknown = Object.getPrototypeOf(schema);
  const inherited = typeof above === "object" && above !== null && above !== Object.prototype ? membersOf(above) : [];
  return [...Object.getOwnPropertyNames(schema), ...inherited].filter((name) => !name.startsWith("_"));
}
