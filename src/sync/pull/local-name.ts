/** The prefix and suffix that an environment adds to template names. */
export interface Affixes {
  readonly namePrefix?: string;
  readonly nameSuffix?: string;
}

/**
 * The project's name for a template on the service. Undefined if the template does not belong to this environment: its
 * name lacks the affixes, or fits those of another environment on the same domain better.
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
