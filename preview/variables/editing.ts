import { hasSchema } from "../data/source.js";
import { useEffect } from "react";
import type { Variables } from "../../src/mustache/variables.js";
import type { VariableProblem } from "../../src/preview/contract.js";
import { useOfProject, useSource, useTemplate } from "../state/data.js";
import { useInput } from "./filled.js";
import { changeView, useView } from "../state/view-store.js";
import { drafts, fixtureKey } from "./unsaved.js";
import { editedText } from "./input.js";
import { isEqual } from "../state/json.js";
import { KeyedStore } from "../state/stores.js";

export type Editing = NonNullable<ReturnType<typeof useEditing>>;

/** Each fixture's variables when its editing started. */
const startedFrom = new Map<string, Variables>();

/** The state and the actions of the variables panel. Undefined if no template is selected, or if it never compiled. */
export function useEditing() {
  const { template } = useView();
  const { detail } = useTemplate(template);
  const { input, fixture, problems, ...edit } = useInput();
  const canSave = useOfProject(({ can }) => can.save);
  const project = useOfProject(({ name }) => name);
  const key = fixtureKey(project, template, fixture?.name);
  const source = useSource();
  const draft = drafts.use(key);
  const steps = stepsTaken.use(key);
  const isDone = edit.isEdited && fixture !== undefined && isEqual(input, fixture.input);
  const isEdited = edit.isEdited && !isDone;
  useEffect(() => {
    if (!isDone) return;
    // The saved variables have come back as the fixture.
    changeView({ edited: undefined }, "replace");
  }, [isDone]);
  if (!isEdited) startedFrom.delete(key);
  else if (fixture && !startedFrom.has(key)) startedFrom.set(key, fixture.input);
  const before = startedFrom.get(key);
  if (detail?.compiled === undefined) return undefined;
  const show = (next: Variables): void => {
    const isBack = fixture !== undefined && isEqual(next, fixture.input);
    changeView({ edited: isBack ? undefined : editedText(next) }, "replace");
  };
  const stepping = (to: "past" | "future") => {
    const step = stepTo(to, steps, input);
    if (!step) return undefined;
    return () => {
      stepsTaken.set(key, step.steps);
      show(step.variables);
    };
  };
  return {
    detail,
    schema: detail.compiled.contract.input,
    input,
    isEdited,
    problems,
    /** Whether the fixture was changed on disk since editing started. */
    isOutdated: before !== undefined && fixture !== undefined && !isEqual(before, fixture.input),
    canSave,
    /** Identifies the fixture among those of all templates and projects. */
    key,
    /** Why nothing can be changed. */
    obstacle: detail.readOnly,
    fixture,
    draft,
    /** Undefined if there is nothing to undo. The same goes for `redo`. */
    undo: stepping("past"),
    redo: stepping("future"),
    /** @param place Where the user types. Consecutive changes in the same place are undone together. */
    change: (next: Variables, place?: string): void => {
      stepsTaken.set(key, withStep(steps, input, place));
      show(next);
    },
    /** Problems that only the server finds, because it has the schema itself and `derive`. */
    check: async (variables: Variables): Promise<readonly VariableProblem[]> => {
      if (!(detail.derives || hasSchema(detail))) return [];
      // Without an answer, the page's own checks have to do.
      const answer = await source.variables(detail.name, { input: variables }).catch(() => undefined);
      return answer?.problems ?? [];
    },
    reset: (): void => {
      if (isEdited) stepsTaken.set(key, withStep(steps, input));
      drafts.set(key, undefined);
      changeView({ edited: undefined }, "replace");
    },
  };
}

/** Edits that can be undone and redone, the newest last. */
interface Steps {
  readonly past: readonly Variables[];
  readonly future: readonly Variables[];
  /** Where the last change was typed. Further typing there belongs to the same step. */
  readonly place?: string | undefined;
}

const NONE: Steps = { past: [], future: [] };
const MOST = 100;

/** By fixture. */
const stepsTaken = new KeyedStore<Steps>();

/** @param place Where the user types. Undefined for a change that is a step of its own. */
function withStep({ past, place: last }: Steps = NONE, before: Variables, place?: string): Steps {
  if (place !== undefined && place === last) return { past, future: [], place };
  return { past: [...past, before].slice(-MOST), future: [], place };
}

/** The step back or forward. Undefined if there is none. */
function stepTo(to: "past" | "future", { past, future }: Steps = NONE, now: Variables) {
  const isBack = to === "past";
  const from = isBack ? past : future;
  const at = from.findLastIndex((variables) => !isEqual(variables, now));
  const variables = from[at];
  if (!variables) return undefined;
  const left = from.slice(0, at);
  const steps: Steps = isBack ? { past: left, future: [...future, now] } : { past: [...past, now], future: left };
  return { variables, steps };
}
