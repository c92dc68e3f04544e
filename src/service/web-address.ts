/** Whether a text is an http or https URL that would be asked for as it stands: URL parsers drop or encode other characters. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}\p{Surrogate}]+$/iu.test(text) && URL.canParse(text);
}

/** Whether a URL has a user name or a password in it. `fetch` refuses such a URL, so that nothing could be posted there. */
export function hasUserInfo(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

/** Why such a URL is refused, in words that follow what it is. */
export const USER_INFO_REFUSED =
  "can't have a user name or a password in its URL, as it would never be called. Use a secret path or query instead";
