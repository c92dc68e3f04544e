import { positionAt } from "../../../text/position.js";
import type { SourceFile } from "../../../project/template.js";
import type { BuiltInRule, CheckedTemplate, Finding } from "../../rule.js";
import { findSecrets, TOKEN_OF_ONE_USE } from "../../secrets.js";

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
    "No report prints the secret, neither in the message nor in the source lines below it.",
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
