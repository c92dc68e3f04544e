/**
 * Whether an address has a user name or a password in it: it is printed, and written into the registry, so that it must not
 * hold a secret.
 *
 * @example
 * hasCredentials("https://api:key@mail.example.com"); // true
 */
export function hasCredentials(url: string): boolean {
  const { username, password } = URL.canParse(url) ? new URL(url) : { username: "", password: "" };
  return username !== "" || password !== "";
}
