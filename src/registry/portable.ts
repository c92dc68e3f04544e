import type { OwnModule } from "../modules/bundle.js";
import { ModuleError } from "../modules/module-error.js";
import type { ESTree } from "../modules/rolldown.js";
import { walk } from "../modules/walk.js";
import { positionAt } from "../position.js";

/**
 * What keeps a module from running within the application's code, if anything: waiting where no function is around it,
 * and asking where it is on the disk of the machine that generates.
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

  const waiting = awaits.find(
    (node) => !functions.some((around) => around.start <= node.start && node.end <= around.end),
  );
  if (waiting !== undefined)
    return problem(
      waiting,
      "The application runs this module where it cannot wait: await is only for the inside of functions.",
    );
  const [location] = locations;
  return (
    location &&
    problem(location, "The application runs this module from elsewhere, where its own folder and files are unknown.")
  );
}
