import { type FocusEvent, type KeyboardEvent, useMemo, useRef, useState } from "react";
import { Braces } from "lucide-react";
import type { Variables } from "../../../src/mustache/variables.js";
import type { Editing } from "../editing.js";
import { pathKey, startsWith, withValue } from "../path.js";
import { makeValid } from "../presets/fitting.js";
import { isEqual } from "../../state/json.js";
import { resolve } from "../schema/resolve.js";
import styles from "./form.module.css";
import { FormProvider, type FormState } from "./form-state.js";
import { isNothing, Members } from "./members.js";
import { EmptyState } from "../../ui/empty-state.js";

/** The variables as fields, built from their schema. */
export const VariablesForm = ({ editing }: { readonly editing: Editing }) => {
  const { schema, input, problems, obstacle, draft } = editing;
  // Two changes in the same moment must not overwrite each other.
  const latest = useRef(editing);
  latest.current = editing;
  const undoKeys = useUndoKeys(editing);
  const stableProblems = useStable(problems);
  const [isLarge] = useState(() => countOf(input) > LARGE);
  const state = useMemo<FormState>(() => {
    const show = (next: Variables, place?: string) => {
      latest.current = { ...latest.current, input: next };
      latest.current.change(next, place);
    };
    return {
      root: schema,
      isLarge,
      problems: new Map(stableProblems.toReversed().map(({ path, message }) => [pathKey(path), message])),
      countAt: (path) => stableProblems.filter((problem) => startsWith(problem.path, path)).length,
      change: (path, value) => {
        const isTyped = typeof value === "string" || typeof value === "number";
        show(withValue(latest.current.input, path, value), isTyped ? pathKey(path) : undefined);
      },
      add: (path, value, added = path) => {
        // Undone in one step, even if it is adjusted later.
        const step = `${pathKey(added)} added`;
        const next = withValue(latest.current.input, path, value);
        show(next, step);
        const repair = async () => {
          const fit = await makeValid(next, schema, added, latest.current.check);
          // Unless the user has typed something meanwhile.
          if (latest.current.input === next && fit !== next) show(fit, step);
        };
        void repair();
      },
    };
  }, [schema, stableProblems, isLarge]);
  const whole = resolve(schema, schema);
  if (isNothing(whole, input)) return <NoVariables />;
  return (
    <FormProvider value={state}>
      <fieldset
        disabled={obstacle !== undefined || draft?.problem !== undefined}
        className={styles.form}
        tabIndex={-1}
        {...undoKeys}
      >
        <Members schema={whole} value={input} path={[]} />
      </fieldset>
    </FormProvider>
  );
};

const LARGE = 150;

/** Number of values at any depth. */
function countOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((count, member) => count + countOf(member), 1);
}

/** Returns the previous list while the content is equal, so that unaffected fields are not rendered again. */
function useStable<Item>(list: readonly Item[]): readonly Item[] {
  const former = useRef(list);
  if (!isEqual(former.current, list)) former.current = list;
  return former.current;
}

/**
 * Undo and redo keys in a form. Within a focused text field, the browser undoes what was typed since it got the focus.
 */
function useUndoKeys({ undo, redo }: Pick<Editing, "undo" | "redo">) {
  const began = useRef("");
  return {
    onFocus({ target }: FocusEvent): void {
      began.current = textOf(target);
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>): void {
      const { currentTarget: form, target, key, shiftKey } = event;
      if (!(event.ctrlKey || event.metaKey) || event.altKey || !["z", "y"].includes(key.toLowerCase())) return;
      if (isTextField(target) && textOf(target) !== began.current) return;
      event.preventDefault();
      if (shiftKey || key.toLowerCase() === "y") redo?.();
      else undo?.();
      requestAnimationFrame(() => {
        const { activeElement } = document;
        if (activeElement === document.body) form.focus();
        began.current = textOf(activeElement);
      });
    },
  };
}

function isTextField(target: unknown): target is HTMLInputElement | HTMLTextAreaElement {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== "checkbox");
}

function textOf(target: unknown): string {
  return isTextField(target) ? target.value : "";
}

export const NoVariables = () => (
  <EmptyState icon={Braces} title="No variables">
    Every recipient gets the same email.
  </EmptyState>
);
