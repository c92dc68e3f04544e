import {
  BODY_MAX,
  DESCRIPTION_MAX,
  NAME_MAX,
  SUBJECT_MAX,
  TEMPLATE_NAME,
  TEMPLATES_PER_DOMAIN,
} from "../api/limits.js";
import { LettershopError } from "../errors.js";
import type { TemplateFields } from "../template/template.js";

/** Something that the service would refuse. */
export interface Obstacle {
  /** One sentence that names the template and the limit. */
  readonly message: string;
  /** Absent where it is about all of them. */
  readonly template?: string;
}

/** How many obstacles the error's message tells; the others are in its data. */
const SHOWN_MAX = 5;

/** The plan cannot be applied as a whole, so nothing of it was. */
export class PlanError extends LettershopError {
  readonly code = "plan";

  constructor(readonly obstacles: readonly Obstacle[]) {
    const shown = obstacles.slice(0, SHOWN_MAX).map(({ message }) => message);
    const more = obstacles.length - shown.length;
    super(`Nothing was applied. ${shown.join(" ")}${more > 0 ? ` And ${more} more.` : ""}`);
  }
}

const maxima = {
  name: NAME_MAX,
  description: DESCRIPTION_MAX,
  subject: SUBJECT_MAX,
  html_body: BODY_MAX,
  text_body: BODY_MAX,
} as const;

/** Finds what the service would refuse half-way (part 7, template errors), so that sync refuses before its first write. */
export function findObstacles(states: {
  readonly local: readonly TemplateFields[];
  readonly creates: number;
  readonly remoteCount: number;
}): Obstacle[] {
  return [...repeatedNames(states.local), ...states.local.flatMap(fieldObstacles), ...overCap(states)];
}

function overCap({ creates, remoteCount }: { readonly creates: number; readonly remoteCount: number }): Obstacle[] {
  if (creates === 0 || remoteCount + creates <= TEMPLATES_PER_DOMAIN) return [];
  const message = `The domain has ${remoteCount} templates and would get ${creates} more, but the service keeps at most ${TEMPLATES_PER_DOMAIN}.`;
  return [{ message }];
}

function repeatedNames(local: readonly TemplateFields[]): Obstacle[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { name } of local) (seen.has(name) ? repeated : seen).add(name);
  return [...repeated].map((template) => ({
    template,
    message: `There are several local templates with the name "${template}".`,
  }));
}

function fieldObstacles(template: TemplateFields): Obstacle[] {
  const { name } = template;
  const misnamed: Obstacle[] = TEMPLATE_NAME.test(name)
    ? []
    : [
        {
          template: name,
          message: `The name "${name}" is not one for the service: lower-case letters, digits, hyphens and underscores, the first a letter or a digit.`,
        },
      ];
  const tooLong = (["name", "description", "subject", "html_body", "text_body"] as const)
    .filter((field) => template[field].length > maxima[field])
    .map((field) => ({
      template: name,
      message: `The ${field} of "${name}" has ${template[field].length} characters; the service takes at most ${maxima[field]}.`,
    }));
  return [...misnamed, ...tooLong];
}
