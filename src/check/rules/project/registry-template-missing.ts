import type { Rule } from "../../rule.js";
import { entryPosition, registryChanges } from "./registry-changes.js";

export const registryTemplateMissing: Rule = {
  id: "registry-template-missing",
  summary: "The registry has a template that is no longer there.",
  severity: "error",
  checkAll: (project) =>
    registryChanges(project).flatMap(({ registry, change }) =>
      change.kind === "removed"
        ? [
            {
              message: `The registry has the template "${change.template}", which is not on disk: code that sends it still compiles.`,
              at: entryPosition(registry, change.template),
              hint: "Run: templates types; or bring the template back, with renamedFrom in template.json if it has another name now.",
            },
          ]
        : [],
    ),
};
