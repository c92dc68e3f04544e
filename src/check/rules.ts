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

const GROUPS: Readonly<Record<string, readonly Rule[]>> = {
  limits: limitsRules,
  variables: variablesRules,
  subject: subjectRules,
  structure: structureRules,
  css: cssRules,
  links: linksRules,
  "client-support": clientSupportRules,
  safety: safetyRules,
  language: languageRules,
  text: textRules,
  project: projectRules,
};

/** Every rule, group by group. */
export const RULES: readonly Rule[] = Object.values(GROUPS).flat();

const groupById: ReadonlyMap<string, string> = new Map(
  Object.entries(GROUPS).flatMap(([group, rules]) => rules.map(({ id }) => [id, group] as const)),
);

/**
 * A rule's id with its group, as used in the configuration. Ids of compile errors have no group.
 *
 * @example
 * idInGroup("empty-link"); // "links/empty-link"
 */
export function idInGroup(id: string): string {
  const group = groupById.get(id);
  return group === undefined ? id : `${group}/${id}`;
}
