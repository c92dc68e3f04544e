/**
 * Whether a string is an http or https URL that would be requested exactly as written: URL parsers drop or encode other
 * characters.
 */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}\p{Surrogate}]+$/iu.test(text) && URL.canParse(text);
}

/** Whether a URL contains a user name or password. `fetch` rejects such URLs, so nothing could be posted there. */
export function hasUserInfo(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

/** Why such a URL is refused, as text that follows its name. */
export const USER_INFO_REFUSED =
  "can't have a user name or password in its URL, because it would never be called. Use a secret path or query instead";
