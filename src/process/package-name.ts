/** `@scope/name` of `@scope/name/path`, `name` of `name/path`. */
export function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
