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
import { markerLength } from "../../marker.js";
import { type Operation, targetName } from "./plan.js";

/** Something that the service would refuse. */
export interface Obstacle {
  /** One sentence that names the template and the limit. */
  readonly message: string;
  /** Its name on the service; absent where it is about all of them. */
  readonly template?: string;
}

/** How many obstacles the error's message tells; the others are in its data. */
const SHOWN_MAX = 5;

/** The plan cannot be applied as a whole, so nothing of it was. */
export class PlanError extends LettershopError {
  override readonly name = "PlanError";
  readonly code = "plan";

  constructor(readonly obstacles: readonly Obstacle[]) {
    const shown = obstacles.slice(0, SHOWN_MAX).map(({ message }) => message);
    const more = obstacles.length - shown.length;
    super(`Nothing was applied. ${shown.join(" ")}${more > 0 ? ` And ${more} more.` : ""}`);
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

/** Finds what the service would refuse half-way (part 7, template errors), so that sync refuses before its first write. */
export function findObstacles(operations: readonly Operation[], room: Room): Obstacle[] {
  return [...operations.flatMap(operationObstacles), ...overCap(operations, room)];
}

/** Two local templates with one name on the service: which of them is meant? */
export function repeatedNames(local: readonly { readonly name: string; readonly template: string }[]): Obstacle[] {
  const byName = new Map<string, string[]>();
  for (const { name, template } of local) byName.set(name, [...(byName.get(name) ?? []), template]);
  return [...byName].flatMap(([name, templates]) =>
    templates.length === 1
      ? []
      : [
          {
            template: name,
            message: `Several templates have the name "${name}" on the service: ${templates.join(", ")}.`,
          },
        ],
  );
}

function overCap(operations: readonly Operation[], { remoteCount, prunable }: Room): Obstacle[] {
  const creates = operations.filter(({ kind }) => kind === "create").length;
  const deletes = operations.filter(({ kind }) => kind === "delete").length;
  if (creates === 0 || remoteCount + creates - deletes <= TEMPLATES_PER_DOMAIN) return [];
  const lost = deletes === 0 ? "" : ` and lose ${deletes}`;
  const isRenaming = operations.some((operation) => operation.kind === "create" && operation.renamedFrom !== undefined);
  const way = isRenaming
    ? `A rename keeps the former name until a later --prune, so it takes a place of its own: delete some, or set sync.renames to "in-place".`
    : prunable > 0
      ? `--prune deletes the ${prunable === 1 ? "one that is" : `${prunable} that are`} no longer here.`
      : "Delete some there, or leave some out with the environment's exclude.";
  const message = `The domain has ${remoteCount} templates and would get ${creates} more${lost}, but the service keeps at most ${TEMPLATES_PER_DOMAIN}. ${way}`;
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
      const own = added[field] === 0 ? "" : `, and sync adds a marker of ${added[field]}`;
      const message = `The ${field} of "${name}" has ${content[field].length} characters${own}; the service takes at most ${maxima[field]}.`;
      return { template: name, message };
    });
  return [...misnamed(name), ...tooLong];
}

function misnamed(name: string): Obstacle[] {
  if (!TEMPLATE_NAME.test(name))
    return [
      {
        template: name,
        message: `The name "${name}" is not one for the service: lower-case letters, digits, hyphens and underscores, the first a letter or a digit.`,
      },
    ];
  if (name.length > NAME_MAX)
    return [
      {
        template: name,
        message: `The name "${name}" has ${name.length} characters, with what the environment puts before and behind it; the service takes at most ${NAME_MAX}.`,
      },
    ];
  return [];
}
