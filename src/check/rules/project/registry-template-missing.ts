import type { BuiltInRule } from "../../rule.js";
import { compareWithRegistry, entryPosition, isOnDisk } from "./registry-out-of-date.js";

export const registryTemplateMissing: BuiltInRule = {
  id: "registry-template-missing",
  severity: "error",
  isSilencedByComments: false,
  summary: "The registry has a template that no longer exists.",
  details: "The registry has a template that is no longer on disk.",
  why: "Code that sends it still compiles, but at run time it fails or sends an old version.",
  fix:
    "Run `templates types`, and fix the code that no longer compiles. If the template was renamed, set " +
    "`renamedFrom` in its `template.json`.",
  checkAll(project) {
    const compared = compareWithRegistry(project);
    const gone = compared?.missing.filter((template) => !isOnDisk(template, project)) ?? [];
    return gone.map((template) => ({
      message: `The registry has the template "${template}", which is not on disk: code that sends it still compiles.`,
      at: compared && entryPosition(compared.registry, template),
      hint: "Run `templates types`, or restore the template. If it was renamed, set `renamedFrom` in template.json.",
    }));
  },
};
