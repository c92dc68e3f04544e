import type { RequestFacts } from "../errors.js";
import type { HttpAnswer } from "./http.js";
import type { Redact } from "./redact.js";

interface Redirected {
  readonly facts: RequestFacts;
  readonly answer: Pick<HttpAnswer, "status" | "headers">;
  readonly redact: Redact;
}

/**
 * Describes a redirect: its target, without user name, password, query and fragment, which may contain secrets, and the
 * base URL that avoids it. Undefined for any other answer.
 *
 * Redirects are not followed: the key would be sent to a URL that nobody has configured, and a POST would become a GET.
 */
export function readRedirect({ facts, answer, redact }: Redirected): { problem: string; hint?: string } | undefined {
  const { status, headers } = answer;
  const { location } = headers;
  if (status < 300 || status > 399 || typeof location !== "string" || !URL.canParse(location, facts.url))
    return undefined;
  const target = new URL(location, facts.url);
  const targetUrl = redact(`${target.origin === "null" ? target.protocol : target.origin}${target.pathname}`);
  const problem = `it redirects to ${targetUrl.slice(0, SHOWN_MAX)} (status ${status})`;
  const base = baseOf(target, facts);
  const known = base !== undefined && base !== baseOf(new URL(facts.url), facts);
  return {
    problem,
    ...(known && { hint: `If that is the service, set \`url\` (or \`baseUrl\` of createClient) to ${redact(base)}.` }),
  };
}

/** Maximum characters of a URL to show. */
const SHOWN_MAX = 300;

/** The base URL for which the same path and version is the target; undefined if the target has another path. */
function baseOf(target: URL, { url, path }: RequestFacts): string | undefined {
  const versioned = `${/\/v\d+$/.exec(url.slice(0, -path.length))?.[0] ?? ""}${path}`;
  const folder = target.pathname.replace(/\/+$/, "");
  return folder.endsWith(versioned) ? `${target.origin}${folder.slice(0, -versioned.length)}` : undefined;
}
