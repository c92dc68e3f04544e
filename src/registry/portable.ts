import type { OwnModule } from "../process/bundle.js";
import { ModuleError } from "../process/module-error.js";
import { type ESTree, walk } from "../process/rolldown.js";
import { positionAt } from "../text/position.js";

/**
 * Why a module can't run within the application's code, if it can't: top-level await, or use of its own path, which only
 * exists on the machine that generates the registry.
 */
export function portabilityProblem({ file, code, program }: OwnModule): ModuleError | undefined {
  const functions: ESTree.Node[] = [];
  const awaits: ESTree.Node[] = [];
  const locations: ESTree.Node[] = [];
  walk(program, (node) => {
    if (/Function/.test(node.type)) functions.push(node);
    if (node.type === "AwaitExpression" || (node.type === "ForOfStatement" && node.await)) awaits.push(node);
    if (node.type === "MetaProperty" && node.meta.name === "import") locations.push(node);
    if (node.type === "Identifier" && (node.name === "__dirname" || node.name === "__filename")) locations.push(node);
  });
  const problem = (node: ESTree.Node, message: string) =>
    new ModuleError(message, { file, ...positionAt(code, node.start) });

  const topLevelAwait = awaits.find(
    (node) => !functions.some((outer) => outer.start <= node.start && node.end <= outer.end),
  );
  if (topLevelAwait !== undefined)
    return problem(
      topLevelAwait,
      "The application can't run this module: top-level await is not supported here. Use await only inside functions.",
    );
  const [location] = locations;
  return (
    location &&
    problem(location, "The application runs this module from another place, where its own path doesn't exist.")
  );
}
