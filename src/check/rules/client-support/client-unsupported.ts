import { nameClients } from "../../client-support/clients.js";
import { insteadOf } from "../../client-support/loss.js";
import { problemsIn } from "../../client-support/problems.js";
import type { Rule } from "../../rule.js";
import { isToldElsewhere } from "./told-elsewhere.js";
import { about, alsoOn, counted, subjectOf } from "./words.js";

export const clientUnsupported: Rule = {
  id: "client-unsupported",
  summary: "Mail clients don't support what the template uses.",
  severity: "warning",
  *checkTemplate({ document, settings }) {
    for (const { use, verdict, severity, at, others } of problemsIn(document, settings.clients)) {
      const { unsupported, partial, known } = verdict;
      if (unsupported.length === 0 || isToldElsewhere(use, verdict)) continue;
      const inPart = partial.length > 0 ? `${nameClients(partial, known)} support it in part.` : undefined;
      yield {
        message: `${subjectOf(use)} is not supported by ${counted(unsupported, known)}.`,
        severity,
        at,
        hint: [insteadOf(use.feature), inPart, alsoOn(others, at), about(use.feature)].filter(Boolean).join(" "),
      };
    }
  },
};
