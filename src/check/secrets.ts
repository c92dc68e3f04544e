/** A key, a token or a password in a text. */
export interface Secret {
  /** "an AWS access key" */
  readonly what: string;
  readonly start: number;
  readonly end: number;
}

/** Often made for single use, as in a link to reset a password. */
export const TOKEN_OF_ONE_USE = "a signed token (JWT)";

/** Only formats that are unmistakable: a word that merely looks random is not a secret. */
const SECRETS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["a private key", /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:[^-]{0,8000}-----END [A-Z0-9 ]+-----)?/],
  ["an AWS access key", /(?<![\w/+=])(?:AKIA|ASIA)[A-Z0-9]{16}(?![\w/+=])/],
  ["a Stripe secret key", /(?<!\w)(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9]{10,}/],
  ["a Slack token", /(?<!\w)xox[abeoprs]-[A-Za-z0-9-]{10,}|(?<!\w)xapp-\d-[A-Za-z0-9-]{10,}/],
  ["a Slack webhook", /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[A-Z0-9]+\/[A-Z0-9]+\/\w{8,}/],
  ["a Discord webhook", /https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/\d{10,}\/[\w-]{20,}/],
  ["a GitHub token", /(?<!\w)(?:gh[oprsu]_[A-Za-z0-9]{16,}|github_pat_\w{20,})/],
  ["a GitLab token", /(?<!\w)glpat-[\w-]{20,}/],
  ["an npm token", /(?<!\w)npm_[A-Za-z0-9]{36}(?!\w)/],
  ["a SendGrid key", /(?<!\w)SG\.[\w-]{16,}\.[\w-]{16,}/],
  ["a Mailgun key", /(?<!\w)key-[\da-f]{32}(?!\w)/],
  ["an OpenAI or Anthropic key", /(?<!\w)sk-(?:ant|proj|svcacct)-[\w-]{20,}|(?<!\w)sk-[A-Za-z0-9]{40,}/],
  ["a Google secret", /(?<!\w)GOCSPX-[\w-]{20,}|(?<!\w)ya29\.[\w-]{20,}/],
  // In the URL of a map it is public.
  ["a Google key", /(?<![\w=])AIza[\w-]{35}(?![\w-])/],
  ["a Twilio key", /(?<!\w)SK[\da-f]{32}(?!\w)/],
  ["a Telegram token", /(?<!\w)\d{8,10}:AA[\w-]{33}(?![\w-])/],
  [TOKEN_OF_ONE_USE, /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/],
  [
    "a key in a URL",
    /(?<=[?&](?:amp;)?(?:api[_-]?key|access[_-]?token|auth[_-]?token|client[_-]?secret|secret[_-]?key)=)(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}/i,
  ],
  ["a password in a URL", /(?<=\bhttps?:\/\/[\w.+-]{1,60}:)[^\s{}@/:"'<>$]{4,}(?=@[\w-]+(?:\.[\w-]+)+)/i],
];

/**
 * Finds keys and tokens in a text, in order.
 *
 * @example
 * findSecrets("Bearer ghp_0123456789abcdefghij"); // [{ what: "a GitHub token", start: 7, end: 31 }]
 */
export function findSecrets(text: string): Secret[] {
  const found = SECRETS.flatMap(([what, pattern]) =>
    Array.from(text.matchAll(new RegExp(pattern, `${pattern.flags}g`)), ({ index, 0: { length } }): Secret => {
      return { what, start: index, end: index + length };
    }),
  );
  const real = found.filter(({ start, end }) => !isBlankedOut(text.slice(start, end)));
  return real.toSorted((a, b) => a.start - b.start);
}

/** `sk_live_xxxxxxxxxxxx` */
function isBlankedOut(secret: string): boolean {
  return /(.)\1{7}/.test(secret.replaceAll("-----", "")) || /your[_-]|placeholder/i.test(secret);
}

/**
 * Masks all but the beginning of each secret in a text.
 *
 * @example
 * maskSecrets("xoxb-123456789012-abc"); // "xoxb•••••••••••••••••"
 */
export function maskSecrets(text: string): string {
  let masked = "";
  let from = 0;
  for (const { start, end } of findSecrets(text)) {
    if (start < from) continue;
    const shown = Math.min(SHOWN, Math.floor((end - start) / 4));
    masked += text.slice(from, start + shown) + text.slice(start + shown, end).replaceAll(/[^\n]/g, "•");
    from = end;
  }
  return masked + text.slice(from);
}

const SHOWN = 4;
