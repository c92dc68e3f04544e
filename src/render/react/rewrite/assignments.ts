import type { ESTree } from "../../../modules/rolldown.js";
import { canWait } from "./nodes.js";

/**
 * The variables that a statement assigns, if it does nothing else except declare its own variables. Such a statement can be
 * run for both cases, one after the other.
 */
export function assignedOnly(statement: ESTree.IfStatement): string[] | undefined {
  const assignments = new Assignments();
  return assignments.visit(statement)
    ? [...assignments.assigned].filter((name) => !assignments.declared.has(name))
    : undefined;
}

class Assignments {
  readonly assigned = new Set<string>();
  readonly declared = new Set<string>();

  /** Whether a statement does nothing else. */
  visit(statement: ESTree.Statement): boolean {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- no other statement is
    switch (statement.type) {
      case "EmptyStatement":
        return true;
      case "BlockStatement":
        return statement.body.every((each) => this.visit(each));
      case "IfStatement":
        return (
          canWait(statement.test) &&
          [statement.consequent, statement.alternate].every((each) => !each || this.visit(each))
        );
      case "ExpressionStatement":
        return this.#assigns(statement.expression);
      case "VariableDeclaration":
        return statement.kind !== "var" && statement.declarations.every((each) => this.#declares(each));
      default:
        return false;
    }
  }

  #assigns(expression: ESTree.Expression): boolean {
    if (expression.type !== "AssignmentExpression" || expression.left.type !== "Identifier") return false;
    this.assigned.add(expression.left.name);
    return canWait(expression.right);
  }

  #declares({ id, init }: ESTree.VariableDeclarator): boolean {
    if (id.type !== "Identifier" || (init && !canWait(init))) return false;
    this.declared.add(id.name);
    return true;
  }
}
