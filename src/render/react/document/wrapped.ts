import { isOnly, kindsOf } from "../runtime/kinds.js";
import type { Loop, Path } from "../runtime/symbolic.js";
import type { Part } from "./tree.js";

/**
 * The lists whose items must be wrapped in objects, to give them a name and allow conditions on them: lists of strings whose
 * items are tested, or are printed where `.` is something else; and lists with nulls among their items, in which Mustache
 * would look up members further out.
 */
export function wrappedLoops(parts: readonly Part[]): ReadonlySet<number> {
  const wrapped = new Set<number>();
  const wrap = ({ loop }: Path): void => {
    if (loop && (!isOnly(anyItem(loop), "object") || hasNulls(loop))) wrapped.add(loop.id);
  };
  /** @param innermost The loop whose item `.` is; undefined in a section over a boolean. */
  const visit = (list: readonly Part[], innermost: Loop | undefined): void => {
    for (const part of list) {
      if (part.kind === "each") {
        visit(part.body, part.loop);
        const inner = part.loop.list;
        if (needsName(inner) || (isItem(inner) && (wrapped.has(part.loop.id) || inner.loop?.id !== innermost?.id))) {
          wrap(inner);
        }
      } else if (part.kind === "alternative") {
        const { path } = part.test;
        if (needsName(path) || isItem(path)) wrap(path);
        visit(part.yes, undefined);
        visit(part.no, innermost);
      } else if (
        part.kind !== "text" &&
        (needsName(part.path) || (isItem(part.path) && part.path.loop?.id !== innermost?.id))
      ) {
        wrap(part.path);
      }
    }
  };
  visit(parts, undefined);
  return wrapped;
}

function isItem({ loop, names }: Path): boolean {
  return loop !== undefined && names.length === 0;
}

/** Whether it is an item of the item itself, which needs a name, or a member of an item that may be null. */
function needsName({ loop, names: [name] }: Path): boolean {
  return loop !== undefined && name !== undefined && (name.startsWith("[") || hasNulls(loop));
}

function hasNulls(loop: Loop): boolean {
  return kindsOf(anyItem(loop)).has("null");
}

function anyItem({ list }: Loop): Path {
  return { ...list, shape: list.shape.items() };
}
