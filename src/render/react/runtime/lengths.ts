import { lift } from "./choices.js";
import { isOnly } from "./kinds.js";
import { lengthValue } from "./loops.js";
import { memberOf } from "./paths.js";
import { refuse } from "./refusal.js";
import { symbolicOf } from "./texts.js";

/** `value.length`; `native` is that of an ordinary value. */
export function lengthOf(value: unknown, native: (value: unknown) => unknown): unknown {
  return lift(value, (each) => {
    const symbolic = symbolicOf(each);
    if (!symbolic) return native(each);
    if (symbolic.kind === "path")
      return isOnly(symbolic, "object") ? memberOf(symbolic, "length") : lengthValue(symbolic);
    if (symbolic.kind === "repeat") return lengthValue(symbolic.loop.list);
    return refuse(symbolic, "counts the letters of a text made of variables");
  });
}
