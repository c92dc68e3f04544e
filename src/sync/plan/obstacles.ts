import {
  BODY_MAX,
  DESCRIPTION_MAX,
  NAME_MAX,
  SUBJECT_MAX,
  TEMPLATE_NAME,
  TEMPLATES_PER_DOMAIN,
} from "../../api/limits.js";
import { LettershopError } from "../../errors.js";
import { contentFields } from "../content.js";
import { markerLength } from "../../text/marker.js";
import { type Operation, targetName } from "./plan.js";

/** Something that the service would refuse. */
export interface Obstacle {
  /** One sentence that names the template and the limit. */
  readonly message: string;
  /** Its name on the service; absent if the obstacle is about all templates. */
  readonly template?: string;
}

/** Maximum obstacles in the error's message; its data has all of them. */
const SHOWN_MAX = 5;

/** The plan cannot be applied completely, so nothing was applied. */
export class PlanError extends LettershopError {
  override readonly name = "PlanError";
  readonly code = "plan";

  constructor(readonly obstacles: readonly Obstacle[]) {
    const firstMessages = obstacles.slice(0, SHOWN_MAX).map(({ message }) => message);
    const more = obstacles.length - firstMessages.length;
    super(`Nothing was applied. ${firstMessages.join(" ")}${more > 0 ? ` And ${more} more.` : ""}`);
  }
}

const maxima = {
  description: DESCRIPTION_MAX,
  subject: SUBJECT_MAX,
  html_body: BODY_MAX,
  text_body: BODY_MAX,
} as const;

/** How full the service is. */
interface Room {
  readonly remoteCount: number;
  /** Templates that `--prune` would delete and that this plan keeps. */
  readonly prunable: number;
}

/**
 * Finds what the service would refuse halfway (part 7, template errors), so that sync can refuse before its first
 * write.
 */
export function findObstacles(operations: readonly Operation[], room: Room): Obstacle[] {
  return [...operations.flatMap(operationObstacles), ...overCap(operations, room)];
}

/** Finds local templates with the same name on the service. */
export function repeatedNames(local: readonly { readonly name: string; readonly template: string }[]): Obstacle[] {
  const byName = new Map<string, string[]>();
  for (const { name, template } of local) byName.set(name, [...(byName.get(name) ?? []), template]);
  return [...byName]
    .filter(([, templates]) => templates.length > 1)
    .map(([name, templates]) => ({
      template: name,
      message: `Several templates have the name "${name}" on the service: ${templates.join(", ")}.`,
    }));
}

function overCap(operations: readonly Operation[], { remoteCount, prunable }: Room): Obstacle[] {
  const creates = operations.filter(({ kind }) => kind === "create").length;
  const deletes = operations.filter(({ kind }) => kind === "delete").length;
  if (creates === 0 || remoteCount + creates - deletes <= TEMPLATES_PER_DOMAIN) return [];
  const lost = deletes === 0 ? "" : ` and lose ${deletes}`;
  const isRenaming = operations.some((operation) => operation.kind === "create" && operation.renamedFrom !== undefined);
  const way = isRenaming
    ? `A rename keeps the former name until a later --prune, so it needs one more template: delete some, or set sync.renames to "in-place".`
    : prunable > 0
      ? `--prune deletes the ${prunable === 1 ? "one that is" : `${prunable} that are`} no longer here.`
      : "Delete some there, or leave some out with the environment's exclude.";
  const message = `The domain has ${remoteCount} templates and would get ${creates} more${lost}, but the limit is ${TEMPLATES_PER_DOMAIN}. ${way}`;
  return [{ message }];
}

function operationObstacles(operation: Operation): Obstacle[] {
  if (operation.kind === "delete") return [];
  const name = targetName(operation);
  const { content, marker } = operation.target;
  const ofMarker = marker === undefined ? 0 : markerLength(marker.text);
  const added = { subject: 0, html_body: 0, text_body: 0, description: ofMarker };
  const tooLong = contentFields
    .filter((field) => content[field].length + added[field] > maxima[field])
    .map((field) => {
      const markerNote = added[field] === 0 ? "" : `, and sync adds a marker of ${added[field]}`;
      const message = `The ${field} of "${name}" has ${content[field].length} characters${markerNote}; the limit is ${maxima[field]}.`;
      return { template: name, message };
    });
  const nameProblem = nameProblemOf(name);
  return [...(nameProblem === undefined ? [] : [{ template: name, message: nameProblem }]), ...tooLong];
}

function nameProblemOf(name: string): string | undefined {
  if (!TEMPLATE_NAME.test(name))
    return `The name "${name}" is not valid on the service. Use lower-case letters, digits, hyphens and underscores, starting with a letter or a digit.`;
  if (name.length <= NAME_MAX) return undefined;
  return `The name "${name}" has ${name.length} characters, including the environment's prefix and suffix; the limit is ${NAME_MAX}.`;
}
