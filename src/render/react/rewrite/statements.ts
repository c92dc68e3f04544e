import type { ESTree } from "../../../process/rolldown.js";
import { addBoundNames, assignmentsIn, canWait, childrenOf, listsChanged, someWithin } from "../ast.js";
import { rewriteCounting, rewriteForOf, whyNoEffect } from "./loops.js";
import { rewriteTarget, rewriteTest } from "./operators.js";
import { rewritePattern } from "./patterns.js";
import type { Rewriter } from "./rewriter.js";
import { scopeOfBlocks } from "./scopes.js";

export function rewriteIf(node: ESTree.IfStatement, rewriter: Rewriter): void {
  const names = rewriter.canFork ? assignedOnly(node) : undefined;
  if (names) assignBoth(node, names, rewriter);
  else rewriteTest(node.test, rewriter);
  for (const part of [node.test, node.consequent, node.alternate]) rewriter.visit(part);
}

/**
 * `if (a) b = 1;` → `[b] = assign(…, a, [b], (v) => { [b] = v; b = 1; return [b]; })`: the code after it needn't run once for
 * each case.
 */
function assignBoth(
  { start, test, consequent, alternate, end }: ESTree.IfStatement,
  names: readonly string[],
  { editor }: Rewriter,
): void {
  const [list, before] = [`[${names.join(", ")}]`, editor.newName()];
  const open = `(${before}) => { ${list} = ${before}; `;
  const close = `; return ${list}; }`;
  const opening = editor.find("(", start, test.start);
  const closing = editor.findLast(")", test.end, consequent.start); // The test may contain parentheses.
  // Doesn't begin with a bracket, because the line before may have no semicolon.
  editor.replace(start, opening + 1, `void (${list} = ${editor.call("assign", test)}, `);
  editor.replace(closing, closing + 1, `, ${list}, ${open}`);
  if (alternate) {
    const elseOffset = editor.find("else", consequent.end, alternate.start);
    editor.replace(elseOffset, elseOffset + 4, `${close}, ${open}`);
    editor.after(end, `${close}));`);
  } else {
    editor.after(end, `${close}, ${open}${close}));`);
  }
}

/**
 * In a list of statements, `try { return a; } catch { b; } return c;` →
 * `return attempt(…, scope, () => { return a; }, () => { { b; } return c; });`
 */
export function rewriteBlock({ body, end }: ESTree.BlockStatement, rewriter: Rewriter): void {
  rewriteStatements(body, end - 1, rewriter);
}

/** @param end Where the block ends. */
function rewriteStatements(statements: readonly ESTree.Statement[], end: number, rewriter: Rewriter): void {
  const at = statements.findIndex((statement, index) => returnsWithin(statement, statements.slice(index + 1)));
  const attempted = statements[at];
  if (attempted?.type !== "TryStatement" || !attempted.handler || !rewriter.canFork) {
    statements.forEach(rewriter.visit);
    return;
  }
  const { editor } = rewriter;
  const { block, handler, start } = attempted;
  const parameter = handler.param ? editor.textOf(handler.param) : "";
  statements.slice(0, at).forEach(rewriter.visit);
  editor.replace(start, block.start, `return ${editor.call("attempt", attempted)}, ${start}, () => `);
  editor.replace(block.end, handler.body.start, `, (${parameter}) => { `);
  editor.after(end, " });");
  const rest = statements.slice(at + 1);
  const scope = scopeOfBlocks(start, [block, handler.body, ...rest]);
  rewriter.visitIn(true, scope, block);
  rewriter.visitIn(true, scope, handler.body, (body, inner) => {
    inner.visit(body);
    rewriteStatements(rest, end, inner);
  });
}

/** Whether a `try` can become two functions that return what the function around returns. */
function returnsWithin(statement: ESTree.Statement, rest: readonly ESTree.Statement[]): boolean {
  if (statement.type !== "TryStatement" || !statement.handler || statement.finalizer) return false;
  const { block, handler } = statement;
  const parts = [block, handler.body, ...rest];
  const own = new Set(parts.flatMap((part) => [...assignmentsIn(part).declared]));
  const changed = parts.flatMap((part) => [
    ...assignmentsIn(part).assigned,
    ...listsChanged(part, /^(?:push|unshift)$/),
  ]);
  return (
    endsInReturn([block]) &&
    (endsInReturn([handler.body]) || endsInReturn(rest)) &&
    changed.every((name) => own.has(name)) &&
    !parts.some((part) => someWithin(part, ({ type }) => LEAVING.includes(type))) &&
    onlyLogs(handler)
  );
}

const LEAVING: readonly string[] = ["AwaitExpression", "YieldExpression", "BreakStatement", "ContinueStatement"];

function endsInReturn(statements: readonly ESTree.Statement[]): boolean {
  const last = statements.at(-1);
  if (last?.type === "BlockStatement") return endsInReturn(last.body);
  if (last?.type === "IfStatement")
    return last.alternate !== null && [last.consequent, last.alternate].every((each) => endsInReturn([each]));
  if (last?.type === "TryStatement" && last.handler && !last.finalizer)
    return endsInReturn([last.block]) && endsInReturn([last.handler.body]);
  return last?.type === "ReturnStatement" || last?.type === "ThrowStatement";
}

/** Whether a `catch` does nothing with the error except log it. */
function onlyLogs({ param, body }: ESTree.CatchClause): boolean {
  const names = new Set<string>();
  if (param) addBoundNames(param, names);
  const uses = (node: ESTree.Node): boolean =>
    (node.type === "Identifier" && names.has(node.name)) || (!isLogging(node) && childrenOf(node).some(uses));
  return !uses(body);
}

/** `console.error(…)` */
function isLogging(node: ESTree.Node): boolean {
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return false;
  const { object } = node.callee;
  return object.type === "Identifier" && object.name === "console";
}

/** Any other `try { … } catch { … }`: what it computes must not throw, because the result is only known when an email is filled. */
export function rewriteTry(node: ESTree.TryStatement, rewriter: Rewriter): void {
  const { editor } = rewriter;
  if (node.handler) {
    const leave = `${editor.runtime}.leaveTry();`;
    editor.after(node.block.start + 1, ` ${editor.runtime}.enterTry();`);
    if (node.finalizer) editor.after(node.finalizer.start + 1, ` ${leave}`);
    else editor.after(node.end, ` finally { ${leave} }`);
  }
  childrenOf(node).forEach(rewriter.visit);
}

type Loop = ESTree.WhileStatement | ESTree.DoWhileStatement | ESTree.ForStatement;

export function rewriteLoop(node: Loop, rewriter: Rewriter): void {
  if (node.type === "ForStatement" && rewriteCounting(node, rewriter)) return;
  if (node.test) rewriter.editor.wrap(node.test, "loop");
  childrenOf(node).forEach(rewriter.visit);
}

/** `for (… of a)` → `for (… of iterateInLoop(…, a))` */
export function rewriteForEach(node: ESTree.ForOfStatement | ESTree.ForInStatement, rewriter: Rewriter): void {
  if (node.type === "ForOfStatement" && rewriteForOf(node, rewriter)) return;
  rewriter.editor.wrap(node.right, "iterateInLoop", JSON.stringify(whyNoEffect(node)));
  if (node.left.type === "VariableDeclaration" && node.body.type === "BlockStatement") {
    const to = { offset: node.body.start + 1, opening: "let ", closing: "; ", declares: true };
    for (const { id } of node.left.declarations) rewritePattern(id, to, rewriter);
  }
  rewriteTarget(node.left, rewriter);
  rewriter.visit(node.right);
  rewriter.visit(node.body);
}

/** `switch (a) { case "b": …` → `switch (match(…, a, [() => ("b")])) { case 0: …` */
export function rewriteSwitch(node: ESTree.SwitchStatement, rewriter: Rewriter): void {
  const { editor, canFork: forks } = rewriter;
  const { discriminant } = node;
  const tests = node.cases.flatMap(({ test }) => test ?? []);
  if (tests.every(canWait)) {
    editor.before(discriminant.start, `${editor.call("match", discriminant)}, `);
    editor.after(discriminant.end, ", [");
    const close = editor.find(")", discriminant.end, node.end);
    editor.before(close, `], ${forks})`);
    for (const [index, test] of tests.entries()) {
      editor.between(test.start, String(index));
      editor.before(test.start, "() => (");
      editor.after(test.end, "), ");
      editor.move(test, close);
    }
  } else {
    editor.wrap(discriminant, "concrete", JSON.stringify("is compared with computed cases"));
  }
  rewriter.visit(discriminant);
  for (const { test, consequent } of node.cases) {
    rewriter.visit(test);
    for (const statement of consequent) rewriter.visit(statement);
  }
}

/**
 * The variables that a statement assigns, if it does nothing else except declare its own variables. Such a statement can be
 * run for both cases, one after the other.
 */
function assignedOnly(statement: ESTree.IfStatement): string[] | undefined {
  const assigned = new Set<string>();
  const declared = new Set<string>();
  const onlyAssigns = (node: ESTree.Statement): boolean => {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- no other statement does
    switch (node.type) {
      case "EmptyStatement":
        return true;
      case "BlockStatement":
        return node.body.every(onlyAssigns);
      case "IfStatement":
        return canWait(node.test) && [node.consequent, node.alternate].every((each) => !each || onlyAssigns(each));
      case "ExpressionStatement": {
        const { expression } = node;
        if (expression.type !== "AssignmentExpression" || expression.left.type !== "Identifier") return false;
        assigned.add(expression.left.name);
        return canWait(expression.right);
      }
      case "VariableDeclaration":
        return (
          node.kind !== "var" &&
          node.declarations.every(({ id, init }) => {
            if (id.type !== "Identifier" || (init && !canWait(init))) return false;
            declared.add(id.name);
            return true;
          })
        );
      default:
        return false;
    }
  };
  return onlyAssigns(statement) ? [...assigned].filter((name) => !declared.has(name)) : undefined;
}
