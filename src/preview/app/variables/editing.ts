import { useEffect } from "react";
import type { Variables, VariablesSchema } from "../../../mustache/variables.js";
import type { FixtureDetail, TemplateDetail, VariableProblem } from "../../contract.js";
import { useOfProject, useSource, useTemplate } from "../state/data.js";
import { useInput } from "../state/filled.js";
import { changeView, useView } from "../state/view-store.js";
import { type Draft, drafts } from "./drafts.js";
import { editedText, hasSchema } from "./input.js";
import type { Check } from "./presets/fitting.js";
import { isSame } from "./same.js";
import { stepsTaken, stepTo, withStep } from "./steps.js";
import { fixtureKey } from "./unsaved.js";

/** What the panel shows and changes. */
export interface Editing {
  readonly detail: TemplateDetail;
  readonly schema: VariablesSchema;
  readonly input: Variables;
  readonly fixture?: FixtureDetail;
  readonly isEdited: boolean;
  readonly problems: readonly VariableProblem[];
  /** Whether the fixture was changed on disk since the editing began. */
  readonly isOutdated: boolean;
  readonly canSave: boolean;
  /** Why nothing can be changed. */
  readonly obstacle?: string;
  /** Names the fixture among all. */
  readonly key: string;
  readonly draft?: Draft;
  /** @param place Where it is typed: what follows there is undone with it. */
  readonly change: (input: Variables, place?: string) => void;
  /** Absent where there is nothing to undo, or to do again. */
  readonly undo?: () => void;
  readonly redo?: () => void;
  readonly reset: () => void;
  /** What the server knows to be wrong with variables: it has the schema itself, and `derive`. */
  readonly check: Check;
}

/** What each fixture was when its editing began. */
const began = new Map<string, Variables>();

/** Undefined where no template is chosen, or none ever compiled. */
export function useEditing(): Editing | undefined {
  const { template } = useView();
  const { detail } = useTemplate(template);
  const { input, fixture, problems, ...given } = useInput();
  const canSave = useOfProject(({ can }) => can.save);
  const project = useOfProject(({ name }) => name);
  const key = fixtureKey(project, template, fixture?.name);
  const source = useSource();
  const draft = drafts.use(key);
  const steps = stepsTaken.use(key);
  const isDone = given.isEdited && fixture !== undefined && isSame(input, fixture.input);
  const isEdited = given.isEdited && !isDone;
  useEffect(() => {
    if (!isDone) return;
    // What was saved comes back as the fixture.
    changeView({ edited: undefined }, "replace");
  }, [isDone]);
  if (!isEdited) began.delete(key);
  else if (fixture && !began.has(key)) began.set(key, fixture.input);
  const before = began.get(key);
  if (detail?.compiled === undefined) return undefined;
  const show = (next: Variables): void => {
    const isBack = fixture !== undefined && isSame(next, fixture.input);
    changeView({ edited: isBack ? undefined : editedText(next) }, "replace");
  };
  const stepping = (to: "past" | "future") => {
    const step = stepTo(to, steps, input);
    return (
      step &&
      (() => {
        stepsTaken.set(key, step.steps);
        show(step.variables);
      })
    );
  };
  const undo = stepping("past");
  const redo = stepping("future");
  return {
    detail,
    schema: detail.compiled.contract.input,
    input,
    isEdited,
    problems,
    isOutdated: before !== undefined && fixture !== undefined && !isSame(before, fixture.input),
    canSave,
    key,
    ...(detail.readOnly !== undefined && { obstacle: detail.readOnly }),
    ...(fixture && { fixture }),
    ...(draft && { draft }),
    ...(undo && { undo }),
    ...(redo && { redo }),
    change(next, place) {
      stepsTaken.set(key, withStep(steps, input, place));
      show(next);
    },
    async check(variables) {
      if (!(detail.derives || hasSchema(detail))) return [];
      // Without an answer, what the page itself knows has to do.
      const answer = await source.variables(detail.name, { input: variables }).catch(() => undefined);
      return answer?.problems ?? [];
    },
    reset() {
      if (isEdited) stepsTaken.set(key, withStep(steps, input));
      drafts.set(key, undefined);
      changeView({ edited: undefined }, "replace");
    },
  };
}
