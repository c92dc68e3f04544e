import { positionAt } from "../../../position.js";
import type { SourceFile } from "../../../template/template.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { findSecrets, TOKEN_OF_ONE_USE } from "../../secrets.js";

export const secretInTemplate: Rule = {
  id: "secret-in-template",
  summary: "A key, a token or a password stands in a template or in a fixture.",
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
  why: "whoever receives the mail, or reads the repository, has it",
  hint: "Take it out, and have it replaced where it was issued: it is in the history, too. What differs from mail to mail is a variable.",
  severity: "error",
} as const;

const KEPT = {
  why: "whoever reads the repository, or sees a preview, has it",
  hint: "Write an invented value that cannot be taken for one; if it is real, have it replaced where it was issued.",
  severity: "warning",
} as const;

function secretsIn({ file, text }: SourceFile, { why, hint, severity }: typeof SENT | typeof KEPT): Finding[] {
  // An example of a link needs an example of what is in it, which is valid nowhere.
  const secrets = findSecrets(text).filter(({ what }) => severity === "error" || what !== TOKEN_OF_ONE_USE);
  return secrets.map(({ what, start }) => ({
    message: `Here stands ${what}: ${why}.`,
    at: { file, ...positionAt(text, start) },
    hint,
    severity,
  }));
}
