/**
 * Whether a URL contains a user name or password. The service's URL is printed and written to the registry, so it must not
 * contain secrets.
 *
 * @example
 * hasCredentials("https://api:key@mail.example.com"); // true
 */
export function hasCredentials(url: string): boolean {
  const { username, password } = URL.canParse(url) ? new URL(url) : { username: "", password: "" };
  return username !== "" || password !== "";
}
