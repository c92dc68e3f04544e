import type { AliasUpdate as Update } from "../contract/v4/aliases.js";

/**
 * An alias's id. The service returns a string in version 4 and in batches, and a number in version 3; as a parameter,
 * both are documented. Calls accept either, and send what the endpoint expects.
 */
export type AliasId = string | number;

/** An entry for updating several aliases; absent fields stay unchanged. */
export type AliasUpdate = Omit<Update, "id"> & { readonly id: AliasId };

/**
 * The id as used in paths and batches.
 *
 * @throws TypeError for a number that is not an id, such as `Number("sales")`.
 */
export function aliasIdText(id: AliasId): string {
  if (typeof id === "number" && !(Number.isSafeInteger(id) && id >= 0))
    throw new TypeError(`${id} is not a valid id of an alias.`);
  return String(id);
}
