type ParameterName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The parameters of a path: `{ domain: string, name: string }` for `/domains/:domain/templates/:name`. */
export type PathParameters<Path extends string> = { readonly [Name in ParameterName<Path>]: string };

/**
 * Fills a path's parameters, each encoded as one segment.
 *
 * @example
 * pathTo(PATHS.template, { domain: "example.com", name: "receipt" }); // "/domains/example.com/templates/receipt"
 *
 * @throws TypeError for a value that cannot be a segment: `""` would address the list, `.` and `..` another path, and
 * half a surrogate pair cannot be encoded.
 */
export function pathTo<Path extends string>(path: Path, parameters: PathParameters<Path>): string {
  const values: Readonly<Record<string, string>> = parameters;
  return path.replace(/:(\w+)/g, (_, name: string) => segment(name, values[name] ?? ""));
}

function segment(name: string, value: string): string {
  if (value === "" || value === "." || value === ".." || /\p{Surrogate}/u.test(value))
    throw new TypeError(`${JSON.stringify(value)} can't be the ${name} in a path of the service.`);
  return encodeURIComponent(value);
}

/**
 * Refuses values that would turn a path into another endpoint's: an alias called `batch` has the path of the batches.
 *
 * @param paths All paths of a version.
 * @throws TypeError that names the value.
 */
export function createPathGuard(paths: readonly string[]): (path: string, parameters: object) => void {
  const taken = new Map<string, ReturnType<typeof takenBy>>();
  return (path, parameters) => {
    const words = taken.get(path) ?? takenBy(path, paths);
    taken.set(path, words);
    for (const [name, others] of words) {
      const value: unknown = Reflect.get(parameters, name);
      if (typeof value === "string" && others.has(value))
        throw new TypeError(
          `"${value}" can't be the ${name} in ${path}, because that is the path of another endpoint.`,
        );
    }
  };
}

/** For each parameter of a path, the words at its position in paths that are otherwise the same. */
function takenBy(path: string, paths: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const parts = path.split("/");
  const others = paths.map((other) => other.split("/")).filter(({ length }) => length === parts.length);
  const parameters = parts.flatMap((part, index) => (isParameter(part) ? [{ name: part.slice(1), index }] : []));
  return new Map(
    parameters.map(({ name, index }) => {
      const alike = others.filter((other) => other.every((part, i) => i === index || isAlike(part, parts[i] ?? "")));
      return [name, new Set(alike.flatMap((other) => other[index] ?? []).filter((part) => !isParameter(part)))];
    }),
  );
}

function isAlike(part: string, other: string): boolean {
  return part === other || (isParameter(part) && isParameter(other));
}

function isParameter(part: string): boolean {
  return part.startsWith(":");
}
