import { notFound } from "../http/api-error.js";
import type { AliasRecord, AliasStore } from "../store/aliases.js";

const missing = "There is no such alias on the domain.";

/**
 * The domain's alias with this id, in decimal digits as both versions write it.
 *
 * @throws ApiError (404) if there is none.
 */
export function findAlias(aliases: AliasStore, domainId: number, id: string): AliasRecord {
  const alias = findById(aliases, domainId, id);
  if (!alias) throw notFound(missing);
  return alias;
}

/**
 * The domain's alias with this id, otherwise with this name. An alias that consists of digits may equal another alias's
 * id. It can then only be reached by its own id.
 *
 * @throws ApiError (404) if there is neither.
 */
export function findAliasByEither(
  aliases: AliasStore,
  domainId: number,
  idOrName: string,
): { readonly alias: AliasRecord; readonly by: "id" | "name" } {
  const byId = findById(aliases, domainId, idOrName);
  if (byId) return { alias: byId, by: "id" };
  const byName = aliases.findByName(domainId, idOrName);
  if (!byName) throw notFound(missing);
  return { alias: byName, by: "name" };
}

function findById(aliases: AliasStore, domainId: number, id: string): AliasRecord | undefined {
  return /^[1-9]\d{0,14}$/.test(id) ? aliases.find(domainId, Number(id)) : undefined;
}
