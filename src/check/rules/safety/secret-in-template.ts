import { positionAt } from "../../../text/position.js";
import type { SourceFile } from "../../../project/template.js";
import type { BuiltInRule, CheckedTemplate, Finding } from "../../rule.js";

export const secretInTemplate: BuiltInRule = {
  id: "secret-in-template",
  severity: "error",
  summary: "A template or a fixture contains a key, a token or a password.",
  details:
    "A template or a fixture contains a key, a token or a password: an AWS access key, a GitHub or Slack token, a " +
    "Stripe secret key, a private key, a signed token in a link.",
  why:
    "Emails are read by their recipients, and forwarded, archived and scanned on the way; a repository has more " +
    "readers than a mailbox. A committed secret stays in the history " +
    "([CWE-798](https://cwe.mitre.org/data/definitions/798.html)). A signed token in a link gives every recipient " +
    "access to what it was issued for. Fixtures are shown in the preview and copied into tests, so secrets in them " +
    "are a warning; a signed token in an example link is fine.\n\n" +
    "Reports never print the secret, neither in the message nor in the source lines below it.",
  fix:
    "Revoke it where it was issued, then remove it. Use a variable for what differs between emails, and a made-up " +
    "value in a fixture.",
  examples: {
    wrong: ["<p>Use the key ‸AKIAQ3EGRIDZ7QJ2MXVB.</p>"],
    right: [
      { "order/order.html": "<p>Use the key {{key}}.</p>", "order/fixtures/default.json": '{ "key": "made-up" }' },
    ],
  },
  checkTemplate({ template, document }: CheckedTemplate): Finding[] {
    const fixtures = new Set(template.fixtures.map(({ source }) => source.file));
    const sources = Array.from(document.input.sources, ([file, text]) => ({ file, text }));
    return [...sources, ...(template.text ? [template.text] : [])].flatMap((source) =>
      secretsIn(source, fixtures.has(source.file) ? KEPT : SENT),
    );
  },
};

const SENT = {
  why: "everyone who receives the email or reads the repository has it",
  hint: "Remove it, and revoke it where it was issued, because it stays in the history. Use a variable for what differs between emails.",
  severity: "error",
} as const;

const KEPT = {
  why: "everyone who reads the repository or sees a preview has it",
  hint: "Use a made-up value that doesn't look real. If it is real, revoke it where it was issued.",
  severity: "warning",
} as const;

function secretsIn({ file, text }: SourceFile, { why, hint, severity }: typeof SENT | typeof KEPT): Finding[] {
  // A fixture's link needs an example of a token, which is not valid anywhere.
  const secrets = findSecrets(text).filter(({ what }) => severity === "error" || what !== TOKEN_OF_ONE_USE);
  return secrets.map(({ what, start }) => ({
    message: `This is ${what}: ${why}.`,
    at: { file, ...positionAt(text, start) },
    hint,
    severity,
  }));
}

/** A key, a token or a password in a string. */
export interface Secret {
  /** "an AWS access key" */
  readonly what: string;
  readonly start: number;
  readonly end: number;
}

/** Often made for single use, as in a link to reset a password. */
const TOKEN_OF_ONE_USE = "a signed token (JWT)";

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

/** Finds keys and tokens in a string, in order. */
function findSecrets(text: string): Secret[] {
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

/** Masks all but the beginning of each secret in a string. */
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
