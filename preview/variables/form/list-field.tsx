import { ArrowDown, ArrowUp, Copy, Plus, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { Button, IconButton } from "../../ui/button.js";
import { blankValue } from "../schema/ways.js";
import { itemSchema, type Kind, kindOf, branchesOf } from "../schema/resolve.js";
import { VariableField } from "./field.js";
import styles from "./form.module.css";
import { moveItem, useForm, useItemKeys } from "./form-state.js";
import type { ValuePath } from "../path.js";

const SHOWN_AT_FIRST = 30;
const OPEN_AT_FIRST = 3;

/** A list whose items can be added, removed and reordered. A tuple's items are fixed. */
export const Items = ({
  schema,
  list,
  path,
}: {
  readonly schema: VariablesSchema;
  readonly list: readonly unknown[];
  readonly path: ValuePath;
}) => {
  const { root, ...form } = useForm();
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  const keys = useItemKeys(list.length);
  const body = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<{ readonly selector: string }>();
  useEffect(() => {
    const target = focused && body.current?.querySelector<HTMLElement>(focused.selector);
    (target?.matches("[data-item]") ? firstField(target) : target)?.focus();
  }, [focused]);
  const fixed = schema.prefixItems?.length ?? 0;
  const canGrow = fixed === 0 || typeof schema.items === "object" || schema.items === true;

  const move = (from: number, to: number): void => {
    keys.change((all) => moveItem(all, from, to));
    form.change(path, moveItem(list, from, to));
    // At the end of the list, one direction is disabled.
    const action = to === fixed ? "down" : to === list.length - 1 ? "up" : to > from ? "down" : "up";
    setFocused({ selector: `:scope > [data-item="${to}"] [data-action="${action}"]` });
  };
  const remove = (index: number): void => {
    keys.change((all) => all.toSpliced(index, 1));
    form.change(path, list.toSpliced(index, 1));
    const next = Math.min(index, list.length - 2);
    setFocused({
      selector: next < fixed ? ":scope > [data-add]" : `:scope > [data-item="${next}"] [data-action="remove"]`,
    });
  };
  const add = (item: unknown, at: number): void => {
    keys.change((all) => all.toSpliced(at, 0, undefined));
    form.add(path, list.toSpliced(at, 0, item), [...path, at]);
    setShown((count) => Math.max(count, at + 1));
    setFocused({ selector: `:scope > [data-item="${at}"]` });
  };

  return (
    <div ref={body} className="stack">
      {list.slice(0, shown).map((item, index) => (
        <div key={keys.at(index)} data-item={index}>
          <VariableField
            name={String(index + 1)}
            part={itemSchema(schema, index)}
            value={item}
            path={[...path, index]}
            standing="item"
            isOpenAtFirst={list.length <= OPEN_AT_FIRST || keys.isNew(index)}
            actions={
              index >= fixed && (
                <ItemActions
                  name={`${path.at(-1) ?? "item"} ${index + 1}`}
                  onUp={index > fixed ? () => move(index, index - 1) : undefined}
                  onDown={index < list.length - 1 ? () => move(index, index + 1) : undefined}
                  onCopy={typeof item === "object" ? () => add(structuredClone(item), index + 1) : undefined}
                  onRemove={() => remove(index)}
                />
              )
            }
          />
        </div>
      ))}
      {list.length > shown && (
        <Button kind="quiet" onClick={() => setShown(shown + 100)}>
          Show {Math.min(100, list.length - shown)} more of {list.length}
        </Button>
      )}
      {canGrow && (
        <Button data-add icon={Plus} onClick={() => add(blankItem(schema, list, root), list.length)}>
          Add {noun(schema, list.length, root)}
        </Button>
      )}
    </div>
  );
};

function firstField(item: HTMLElement): HTMLElement | null {
  const value = item.querySelector<HTMLElement>(":is(input, textarea, select):not([aria-label^='Type of'])");
  return value ?? item.querySelector("button");
}

function noun(schema: VariablesSchema, index: number, root: VariablesSchema): string {
  const [way, ...more] = branchesOf(itemSchema(schema, index), root);
  const kind = way && more.length === 0 ? kindOf(way) : "any";
  const nouns: Partial<Record<Kind, string>> = { text: "a string", number: "a number", list: "a list" };
  return nouns[kind] ?? "an item";
}

/** If the schema does not describe the items, the new item is like the last one. */
function blankItem(schema: VariablesSchema, list: readonly unknown[], root: VariablesSchema): unknown {
  const part = itemSchema(schema, list.length);
  const isOpen = branchesOf(part, root).some((way) => kindOf(way) === "any");
  return isOpen && list.length > 0 ? structuredClone(list.at(-1)) : blankValue(part, root);
}

/** The actions of a list item. */
const ItemActions = ({
  name,
  onUp,
  onDown,
  onCopy,
  onRemove,
}: {
  readonly name: string;
  readonly onUp: (() => void) | undefined;
  readonly onDown: (() => void) | undefined;
  /** Undefined where there is no room for it and little use. */
  readonly onCopy: (() => void) | undefined;
  readonly onRemove: () => void;
}) => (
  <span className={styles.actions}>
    <IconButton data-action="up" icon={ArrowUp} label={`Move ${name} up`} disabled={!onUp} onClick={onUp} />
    <IconButton data-action="down" icon={ArrowDown} label={`Move ${name} down`} disabled={!onDown} onClick={onDown} />
    {onCopy && <IconButton data-action="copy" icon={Copy} label={`Duplicate ${name}`} onClick={onCopy} />}
    <IconButton data-action="remove" icon={X} label={`Remove ${name}`} onClick={onRemove} />
  </span>
);
