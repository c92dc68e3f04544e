import { problemsIn } from "../../client-support/problems.js";
import { insteadOf } from "../../client-support/loss.js";
import type { Rule } from "../../rule.js";
import { isToldElsewhere } from "./told-elsewhere.js";
import { about, alsoOn, counted, plainNote, subjectOf } from "./words.js";

export const clientPartial: Rule = {
  id: "client-partial",
  summary: "Mail clients support what the template uses only in part.",
  severity: "info",
  *checkTemplate({ document, settings }) {
    for (const { use, verdict, severity, at, others } of problemsIn(document, settings.clients)) {
      const { unsupported, partial, notes, known } = verdict;
      if (unsupported.length > 0 || isToldElsewhere(use, verdict)) continue;
      const said = notes.length > 0 ? `: ${notes.map(plainNote).join(" ")}` : ".";
      yield {
        message: `${subjectOf(use)} is supported only in part by ${counted(partial, known)}${said}`,
        severity,
        at,
        hint: [insteadOf(use.feature), alsoOn(others, at), about(use.feature)].filter(Boolean).join(" "),
      };
    }
  },
};
