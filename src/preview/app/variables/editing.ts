import { useEffect, useRef } from "react";
import type { Variables, VariablesSchema } from "../../../mustache/variables.js";
import type { FixtureDetail, TemplateDetail, VariableProblem } from "../../contract.js";
import { useProject, useTemplate } from "../state/data.js";
import { useInput } from "../state/filled.js";
import { changeView, useView } from "../state/view-store.js";
import { type Draft, drafts, leftEdits } from "./drafts.js";
import { editedText } from "./input.js";
import { isSame } from "./same.js";

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
  /** What was edited here before another fixture was chosen, and is saved nowhere. */
  readonly left?: Variables;
  readonly canSave: boolean;
  /** Names the fixture among all. */
  readonly key: string;
  readonly draft?: Draft;
  readonly change: (input: Variables) => void;
  readonly reset: () => void;
}

/** What each fixture was when its editing began. */
const began = new Map<string, Variables>();

/** Undefined where no template is chosen, or none ever compiled. */
export function useEditing(): Editing | undefined {
  const { template } = useView();
  const { detail } = useTemplate(template);
  const { input, fixture, problems, ...given } = useInput();
  const { can } = useProject();
  const key = JSON.stringify([template, fixture?.name]);
  const draft = drafts.use(key);
  const left = leftEdits.use(key);
  const isDone = given.isEdited && fixture !== undefined && isSame(input, fixture.input);
  const isEdited = given.isEdited && !isDone;
  useEffect(() => {
    // What was saved comes back as the fixture.
    if (isDone) changeView({ edited: undefined }, "replace");
  }, [isDone]);
  useLeaving(key, isEdited ? input : undefined);
  if (!isEdited) began.delete(key);
  else if (fixture && !began.has(key)) began.set(key, fixture.input);
  const before = began.get(key);
  if (detail?.compiled === undefined) return undefined;
  const isLeft = left !== undefined && !isEdited && !detail.fixtures.some((each) => isSame(each.input, left));
  return {
    detail,
    schema: detail.compiled.contract.input,
    input,
    isEdited,
    problems,
    isOutdated: before !== undefined && fixture !== undefined && !isSame(before, fixture.input),
    canSave: can.save,
    key,
    ...(fixture && { fixture }),
    ...(draft && { draft }),
    ...(isLeft && { left }),
    change(next) {
      leftEdits.set(key, undefined);
      const isBack = fixture !== undefined && isSame(next, fixture.input);
      changeView({ edited: isBack ? undefined : editedText(next) }, "replace");
    },
    reset() {
      drafts.set(key, undefined);
      leftEdits.set(key, undefined);
      changeView({ edited: undefined }, "replace");
    },
  };
}

/** Keeps what is edited when another fixture takes its place. */
function useLeaving(key: string, edited: Variables | undefined): void {
  const latest = useRef<Variables>(undefined);
  useEffect(
    () => () => {
      if (latest.current) leftEdits.set(key, latest.current);
    },
    [key],
  );
  // Behind the one above: when that one ends, what it left is still known.
  useEffect(() => {
    latest.current = edited;
  });
}
