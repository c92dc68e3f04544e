type ParameterName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The parameters that a path takes: `{ domain: string, name: string }` for `/domains/:domain/templates/:name`. */
export type PathParameters<Path extends string> = { readonly [Name in ParameterName<Path>]: string };

/**
 * Fills a path's parameters, each encoded as one segment.
 *
 * @example
 * pathTo(PATHS.template, { domain: "example.com", name: "receipt" }); // "/domains/example.com/templates/receipt"
 *
 * @throws TypeError for a value that cannot be a segment: `""` would name the list around it, `.` and `..` another path.
 */
export function pathTo<Path extends string>(path: Path, parameters: PathParameters<Path>): string {
  const values = new Map(Object.entries<string>(parameters));
  return path.replace(/:(\w+)/g, (_, name: string) => segment(name, values.get(name) ?? ""));
}

function segment(name: string, value: string): string {
  if (value === "" || value === "." || value === "..")
    throw new TypeError(`"${value}" cannot be the ${name} in a path of the service.`);
  return encodeURIComponent(value);
}
