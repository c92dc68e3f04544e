import { positionAt } from "../../../text/position.js";
import type { SourceFile } from "../../../project/template.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { findSecrets, TOKEN_OF_ONE_USE } from "../../secrets.js";

export const secretInTemplate: Rule = {
  id: "secret-in-template",
  summary: "A template or a fixture contains a key, a token or a password.",
  severity: "error",
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
