/** What an environment puts around the names of its templates. */
export interface Affixes {
  readonly namePrefix?: string;
  readonly nameSuffix?: string;
}

/**
 * The name in the project of a template on the service; undefined where it is not this environment's: its name has not
 * the affixes, or more of those of another environment on the same domain.
 *
 * @example
 * localName("staging-receipt", { namePrefix: "staging-" }, []); // "receipt"
 * localName("staging-receipt", {}, [{ namePrefix: "staging-" }]); // undefined
 */
export function localName(remote: string, affixes: Affixes, others: readonly Affixes[]): string | undefined {
  const name = withoutAffixes(remote, affixes);
  if (name === undefined) return undefined;
  const isOthers = others.some((other) => (withoutAffixes(remote, other)?.length ?? Infinity) < name.length);
  return isOthers ? undefined : name;
}

function withoutAffixes(remote: string, { namePrefix = "", nameSuffix = "" }: Affixes): string | undefined {
  if (remote.length <= namePrefix.length + nameSuffix.length) return undefined;
  if (!remote.startsWith(namePrefix) || !remote.endsWith(nameSuffix)) return undefined;
  return remote.slice(namePrefix.length, remote.length - nameSuffix.length);
}
