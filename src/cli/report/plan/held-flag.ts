import type { Held } from "../../../sync/plan/plan.js";
import { kebab } from "../../arguments.js";

const flags = {
  drifted: "overwriteDrift",
  conflict: "overwriteDrift",
  unknown: "overwriteDrift",
  foreign: "takeOver",
  breaking: "allowBreaking",
  reused: "allowBreaking",
  sourceDrifted: "includeDrift",
} as const satisfies Record<Held["kind"], string>;

/** A flag that names templates to apply even though they would be held back. */
export type LettingFlag = (typeof flags)[Held["kind"]];

export function lettingFlag(reason: Held["kind"]): LettingFlag {
  return flags[reason];
}

/** The flag that applies a template that is held back: `--overwrite-drift receipt`. */
export function heldFlag({ kind, name }: Pick<Held, "kind" | "name">): string {
  return `--${kebab(flags[kind])} ${name}`;
}
