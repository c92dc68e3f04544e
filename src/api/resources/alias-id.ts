import type { AliasUpdate as Update } from "../contract/v4/aliases.js";

/**
 * An alias' id. The service shows it as a string in version 4 and in batches, and as a number in version 3; where it takes
 * one, the documents have both. Calls take either, and send what the endpoint takes.
 */
export type AliasId = string | number;

/** What updating one alias of several takes; what is missing stays. */
export type AliasUpdate = Omit<Update, "id"> & { readonly id: AliasId };

/**
 * The id as paths and batches have it.
 *
 * @throws TypeError for a number that is not an id, such as `Number("sales")`.
 */
export function aliasIdText(id: AliasId): string {
  if (typeof id === "number" && !(Number.isSafeInteger(id) && id >= 0))
    throw new TypeError(`${id} is not the id of an alias.`);
  return String(id);
}
