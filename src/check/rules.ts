import type { Rule } from "./rule.js";
import { clientSupportRules } from "./rules/client-support/index.js";
import { cssRules } from "./rules/css/index.js";
import { languageRules } from "./rules/language/index.js";
import { limitsRules } from "./rules/limits/index.js";
import { linksRules } from "./rules/links/index.js";
import { projectRules } from "./rules/project/index.js";
import { safetyRules } from "./rules/safety/index.js";
import { structureRules } from "./rules/structure/index.js";
import { subjectRules } from "./rules/subject/index.js";
import { textRules } from "./rules/text/index.js";
import { variablesRules } from "./rules/variables/index.js";

/** Every rule, group by group. */
export const RULES: readonly Rule[] = [
  ...limitsRules,
  ...variablesRules,
  ...subjectRules,
  ...structureRules,
  ...cssRules,
  ...linksRules,
  ...clientSupportRules,
  ...safetyRules,
  ...languageRules,
  ...textRules,
  ...projectRules,
];
