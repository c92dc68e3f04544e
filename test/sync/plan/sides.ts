import type { StoredTemplate } from "../../../src/api/contract/v4/templates.js";
import { type Content, contentHash, type LocalTemplate } from "../../../src/sync/content.js";
import { type Marker, writeMarker } from "../../../src/text/marker.js";
import { createPlan, wantedBodies } from "../../../src/sync/plan/create-plan.js";
import type { Plan, PlanInput } from "../../../src/sync/plan/plan.js";
import { type RemoteState, remoteTemplate } from "../../../src/sync/remote.js";

export const MARKER = "lettershop acme";
const contract = { input: { type: "object", properties: { number: { type: "string" } } }, conditions: [] } as const;

export function content(subject: string, changes: Partial<Content> = {}): Content {
  return { subject, description: "", html_body: `<p>${subject} {{number}}</p>`, text_body: "", ...changes };
}

export function local(name: string, of: Content = content(name), changes: Partial<LocalTemplate> = {}): LocalTemplate {
  return { name, template: name, content: of, contract, contractName: "contra", sources: [`${name}.html`], ...changes };
}

/** A template on the service, by default in the state that sync left. */
export interface Stored {
  readonly name: string;
  readonly content: Content;
  readonly marker?: Partial<Marker> | undefined;
  readonly updatedAt?: string;
}

export function applied(name: string, of: Content = content(name), changes: Partial<Stored> = {}): Stored {
  return { name, content: of, marker: { applied: contentHash(of) }, ...changes };
}

export function unmarked(name: string, of: Content = content(name)): Stored {
  return { name, content: of };
}

/** Plans as sync does: from the list, and the bodies that the plan needs. */
export function planFor(
  here: readonly LocalTemplate[],
  there: readonly Stored[],
  changes: Partial<Omit<PlanInput, "choices">> & { readonly choices?: Partial<PlanInput["choices"]> } = {},
): Plan & { readonly read: readonly string[] } {
  const all = new Map(there.map((each) => [each.name, storedOf(each)]));
  const { choices, ...others } = changes;
  const input: Omit<PlanInput, "remote"> = {
    local: here,
    present: new Set(),
    entries: new Map(),
    written: new Map(),
    markerText: MARKER,
    isInReach: () => true,
    isPrunable: () => false,
    ...others,
    choices: {
      renames: "keep",
      prune: false,
      letsThrough: () => false,
      ...choices,
    },
  };
  const at = { askedAt: 0, seen: 2_000_000_000 };
  const summaries = new Map([...all].map(([name, stored]) => [name, remoteTemplate(stored, at)]));
  const read = [...wantedBodies(summaries, input)].sort();
  const templates = new Map([...summaries].filter(([name]) => read.includes(name)));
  const remote: RemoteState = { summaries, templates, leases: [], askedAt: 0 };
  return { ...createPlan({ ...input, remote }), read };
}

function storedOf({ name, content: of, marker, updatedAt = "2026-08-12T09:30:00Z" }: Stored): StoredTemplate {
  const whole = marker && { text: MARKER, applied: "0000000000", contract: "contra", ...marker };
  const description = writeMarker(of.description, whole);
  return { name, ...of, description, created_at: updatedAt, updated_at: updatedAt };
}
