import { lift } from "./choices.js";
import { compute } from "./computed.js";
import { isCount } from "./counts.js";
import { expressionOf } from "./expressions.js";
import { PROBLEMS, printCountsAs } from "./loops.js";
import { NUMBER } from "./result-shapes.js";
import { rendering } from "./rendering.js";
import { represented } from "./symbolic.js";

/** A value that Mustache can print: positions, and lengths to which something was added, are computed. */
export function printable(value: unknown): unknown {
  return lift(value, (each) => {
    const symbolic = represented(each);
    if (!isCount(symbolic) || symbolic.kind === "several") return each;
    const isPart = symbolic.kind === "length" && symbolic.slice.limits.length > 0;
    if (symbolic.kind === "length" && symbolic.offset === 0 && !isPart) return each;
    const problem = PROBLEMS[isPart ? "part" : symbolic.kind];
    const { site = rendering().site } = symbolic;
    return compute({ problem, about: symbolic, shape: NUMBER, site }, () => expressionOf(each));
  });
}

printCountsAs(printable);
