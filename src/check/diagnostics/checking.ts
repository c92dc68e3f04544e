import type { DocumentedDiagnostic } from "../rule.js";

/** Diagnostics of `check` itself, and of building templates a second time. */
export const CHECKING_DIAGNOSTICS: readonly DocumentedDiagnostic[] = [
  {
    id: "not-reproducible",
    severity: "error",
    summary:
      "Compiling the same files twice gives different bodies, or a component renders differently with the same " +
      "variables.",
    why: "Every sync would upload the template again, and nobody could rely on a review.",
    fix:
      "Remove what depends on random numbers, the time or on the machine, or pass it as a variable. The finding " +
      "points to where the template's own code reads it. Output that is the same today but not next year is reported " +
      "by [time-in-body](time-in-body.md).",
    examples: {
      wrong: [
        `export default function Order() {
  return <p>Your lucky number: {Math‸.random()}</p>;
}`,
      ],
      right: [
        `export default function Order({ number }) {
  return <p>Your lucky number: {number}</p>;
}
Order.PreviewProps = { number: 7 };`,
      ],
    },
  },
  {
    id: "rule-failed",
    severity: "error",
    summary: "A rule could not be run to its end.",
    why:
      "It is unknown what the rule would have found. Without this finding, `check` would look clean. The message " +
      "names the rule, the template and the error.",
    fix:
      "If it is your own rule (`check.custom` in the configuration), fix it; the finding points to the line that " +
      "threw. If it is a rule of `lettershop`, please report it, with the template if you can.",
    silence:
      "It can't be silenced. Take a rule of your own out of `check.custom`; turning the rule off (`check: { rules: { " +
      '"RULE-ID": "off" } }`) hides its findings and not that it failed.',
  },
  {
    id: "time-in-body",
    severity: "warning",
    summary: "A body contains the time at which it was built, so that a build on another day gives another body.",
    details:
      "A body contains the time at which it was built, so that a build on another day gives another body. The " +
      "finding is at the element that prints it, and its hint names the line that reads the time.",
    why:
      "A body is compiled once and sent until somebody syncs it again. The year in `© {new Date().getFullYear()}` " +
      "stays the same until then.",
    fix: "Let the application pass the date, or the year, as a variable.",
    examples: {
      wrong: [
        `export default function Order() {
  return ‸<p>© {new Date().getFullYear()} Fernhill</p>;
}`,
      ],
      right: [
        `export default function Order({ year }) {
  return <p>© {year} Fernhill</p>;
}
Order.PreviewProps = { year: "2026" };`,
      ],
    },
  },
  {
    id: "unused-silence",
    severity: "warning",
    summary: "A `lettershop-ignore` comment silences nothing, or an override in the configuration matches no template.",
    details:
      "A `lettershop-ignore` comment silences nothing, or an override in the configuration matches no template. A " +
      "misspelt comment, such as `letershop-ignore` or `lettershop-disable`, silences nothing either.",
    why:
      "What it was for has been fixed or moved, or the comment names a rule that does not exist, or an error that " +
      "keeps the template from compiling, which can't be silenced. A comment that is left behind may one day silence " +
      "a finding that nobody has seen.\n\n" +
      "It is reported only if everything was checked that it could silence: not if a template did not compile, and, " +
      "in a shared part, not if only some of the templates are checked.\n\n" +
      "IDs of rules that were merged or removed since the previous version still work in comments and in the " +
      "configuration, with a note that names the ID to write. The next version drops them.",
    fix:
      "Fix the names in `check.overrides`. Remove the comment, or move it directly above the line it is for. [The " +
      "guide](../guides/check.md#silence-one-finding) says which line that is.",
    silence: '`check: { rules: { "unused-silence": "off" } }` in `lettershop.config.ts`.',
  },
];
