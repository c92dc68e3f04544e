import { useMemo, useRef, useState } from "react";
import type { Variables, VariablesSchema } from "../../../../mustache/variables.js";
import type { VariableProblem } from "../../../contract.js";
import { keyOf, withValue } from "../path.js";
import { allowed } from "../presets/allowed.js";
import type { Check } from "../presets/fitting.js";
import { isSame } from "../same.js";
import { resolve } from "../schema/resolve.js";
import { NoVariables } from "../no-variables.js";
import styles from "./form.module.css";
import { type FormState, FormProvider } from "./form-context.js";
import { isNothing, Members } from "./members.js";
import { useUndoKeys } from "./undo-keys.js";

/** The variables as fields, made from their schema. */
export const VariablesForm = ({
  schema,
  input,
  problems,
  isLocked,
  check,
  onChange,
  onUndo,
  onRedo,
}: {
  readonly schema: VariablesSchema;
  readonly input: Variables;
  readonly problems: readonly VariableProblem[];
  readonly isLocked: boolean;
  readonly check: Check;
  /** @param place Where it is typed; absent for what is a step of its own. */
  readonly onChange: (input: Variables, place?: string) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}) => {
  // Two changes of one moment must not undo each other.
  const latest = useRef({ input, onChange, check });
  latest.current = { input, onChange, check };
  const undoKeys = useUndoKeys({ undo: onUndo, redo: onRedo });
  const told = useStable(problems);
  const [isLarge] = useState(() => countOf(input) > LARGE);
  const state = useMemo<FormState>(() => {
    const show = (next: Variables, place?: string) => {
      latest.current.input = next;
      latest.current.onChange(next, place);
    };
    return {
      root: schema,
      isLarge,
      problems: new Map(told.toReversed().map(({ path, message }) => [keyOf(path), message])),
      countAt: (path) => told.filter((problem) => path.every((step, index) => problem.path[index] === step)).length,
      change: (path, value) => {
        const isTyped = typeof value === "string" || typeof value === "number";
        show(withValue(latest.current.input, path, value), isTyped ? keyOf(path) : undefined);
      },
      add: (path, value, added = path) => {
        // One step, whatever becomes of it.
        const step = `${keyOf(added)} added`;
        const next = withValue(latest.current.input, path, value);
        show(next, step);
        const repair = async () => {
          const fit = await allowed(next, schema, added, latest.current.check);
          // Unless something was typed meanwhile.
          if (latest.current.input === next && fit !== next) show(fit, step);
        };
        void repair();
      },
    };
  }, [schema, told, isLarge]);
  const whole = resolve(schema, schema);
  if (isNothing(whole, input)) return <NoVariables />;
  return (
    <FormProvider value={state}>
      <fieldset disabled={isLocked} className={styles.form} tabIndex={-1} {...undoKeys}>
        <Members schema={whole} value={input} path={[]} />
      </fieldset>
    </FormProvider>
  );
};

const LARGE = 150;

/** How many values there are, at any depth. */
function countOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((count, member) => count + countOf(member), 1);
}

/** The former list as long as it says the same, so that fields which have nothing to do with a change stay as they are. */
function useStable<Item>(list: readonly Item[]): readonly Item[] {
  const former = useRef(list);
  if (!isSame(former.current, list)) former.current = list;
  return former.current;
}
