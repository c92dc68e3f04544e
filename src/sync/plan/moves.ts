/** A rename in place. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/**
 * The moves that `renamedFrom` asks for, as chains: each move frees the name that the next one takes. In a cycle, all
 * names are taken, so contents are exchanged instead.
 *
 * @example
 * findMoves([{ name: "b", renamedFrom: "a" }, { name: "c", renamedFrom: "b" }], (name) => name !== "c");
 * // [[{ from: "b", to: "c" }, { from: "a", to: "b" }]]
 *
 * @param isTaken Whether the service has a template with the name.
 */
export function findMoves(
  local: readonly { readonly name: string; readonly renamedFrom?: string }[],
  isTaken: (name: string) => boolean,
): Move[][] {
  const origins = new Map(local.map(({ name, renamedFrom }) => [name, renamedFrom]));
  const moved = new Set<string>();
  const chains: Move[][] = [];
  for (const { name } of local) {
    if (isTaken(name)) continue;
    const chain: Move[] = [];
    for (let to = name; ;) {
      const from = origins.get(to);
      if (from === undefined || !isTaken(from) || moved.has(from) || !isVacated(from, origins, isTaken)) break;
      moved.add(from);
      chain.push({ from, to });
      to = from;
    }
    if (chain.length > 0) chains.push(chain);
  }
  return chains;
}

/** Whether the name is no longer used by its current template: it is gone, or another one moves there. */
function isVacated(
  name: string,
  origins: ReadonlyMap<string, string | undefined>,
  isTaken: (name: string) => boolean,
): boolean {
  const seen = new Set<string>();
  for (let each = name; origins.has(each);) {
    const origin = origins.get(each);
    if (origin === undefined || !isTaken(origin) || seen.has(each)) return false;
    seen.add(each);
    each = origin;
  }
  return true;
}
