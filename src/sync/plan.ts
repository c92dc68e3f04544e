import type { TemplateFields } from "../template/template.js";
import { findObstacles, type Obstacle } from "./obstacles.js";
import type { RemoteState } from "./remote.js";

/** One field of a template that differs. */
export interface FieldChange {
  readonly field: ChangeableField;
  /** What the service has. */
  readonly from: string;
  readonly to: string;
}

export type ChangeableField = Exclude<keyof TemplateFields, "name">;

/** Brings a template to the service that it doesn't have. */
export interface CreateOperation {
  readonly kind: "create";
  readonly name: string;
  readonly fields: TemplateFields;
}

/** Changes the fields of a template that differ, and no others. */
export interface UpdateOperation {
  readonly kind: "update";
  readonly name: string;
  readonly changes: readonly FieldChange[];
}

export type Operation = CreateOperation | UpdateOperation;

/** What sync would do. */
export interface Plan {
  /** In the order in which they are applied: first what is new, then what changes, each by name. */
  readonly operations: readonly Operation[];
  /** Names whose fields are the same on both sides, sorted. */
  readonly unchanged: readonly string[];
  /** Names that only the service has, sorted. They are left alone. */
  readonly unmanaged: readonly string[];
  /** Why the plan cannot be applied as a whole; empty where it can. */
  readonly obstacles: readonly Obstacle[];
}

const changeableFields: readonly ChangeableField[] = ["description", "subject", "text_body", "html_body"];

/**
 * Compares local templates with what the service has, by content. Pure: the same states give the same plan.
 *
 * @example
 * const plan = createPlan({ local: compiled, remote: await readRemote({ client, domain, local: compiled }) });
 * plan.operations; // [{ kind: "update", name: "receipt", changes: [{ field: "subject", from: "…", to: "…" }] }]
 */
export function createPlan({
  local,
  remote,
}: {
  readonly local: readonly TemplateFields[];
  readonly remote: RemoteState;
}): Plan {
  const wanted = new Map(local.map((template) => [template.name, template]));
  const creates: CreateOperation[] = [];
  const updates: UpdateOperation[] = [];
  const unchanged: string[] = [];

  for (const [name, template] of [...wanted].sort(byName)) {
    const stored = remote.templates.get(name);
    if (stored === undefined) {
      creates.push({ kind: "create", name, fields: fieldsOf(template) });
      continue;
    }
    const changes = changeableFields
      .filter((field) => stored[field] !== template[field])
      .map((field) => ({ field, from: stored[field], to: template[field] }));
    if (changes.length === 0) unchanged.push(name);
    else updates.push({ kind: "update", name, changes });
  }

  return {
    operations: [...creates, ...updates],
    unchanged,
    unmanaged: remote.names.filter((name) => !wanted.has(name)).sort(),
    obstacles: findObstacles({ local, creates: creates.length, remoteCount: remote.names.length }),
  };
}

/** The fields alone, since a compiled template carries more. */
function fieldsOf({ name, description, subject, html_body, text_body }: TemplateFields): TemplateFields {
  return { name, description, subject, html_body, text_body };
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : Number(a > b);
}
