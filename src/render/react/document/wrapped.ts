import { isOnly, kindsOf } from "../runtime/kinds.js";
import type { Loop, Path } from "../runtime/symbolic.js";
import type { Part } from "./tree.js";

/**
 * The lists whose items must be in objects, so that there is a name for them, and that there can be conditions on them:
 * lists of texts of whose items something is asked, or that are printed where `.` is something else; and lists with
 * nulls among their items, in which Mustache would not look for a member but outside.
 */
export function wrappedLoops(parts: readonly Part[]): ReadonlySet<number> {
  const wrapped = new Set<number>();
  const wrap = ({ loop }: Path): void => {
    if (loop && (!isOnly(anyItem(loop), "object") || hasNulls(loop))) wrapped.add(loop.id);
  };
  /** @param innermost The loop whose item `.` is; undefined within a section over a boolean. */
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

/** Whether it is an item of the item itself, which must be put beside something, or a member that may have no holder. */
function needsName({ loop, names: [name] }: Path): boolean {
  return loop !== undefined && name !== undefined && (name.startsWith("[") || hasNulls(loop));
}

function hasNulls(loop: Loop): boolean {
  return kindsOf(anyItem(loop)).has("null");
}

function anyItem({ list }: Loop): Path {
  return { ...list, shape: list.shape.items() };
}
