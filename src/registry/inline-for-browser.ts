import type { Project } from "../project/load-project.js";
import { bundleModule, type OwnModule } from "../process/bundle.js";
import { ModuleError } from "../process/module-error.js";
import { type ESTree, walk } from "../process/rolldown.js";
import { positionAt } from "../text/position.js";
import { portabilityProblem, type VariablesFile, withEntry } from "./inline.js";

/** `variables.ts` files as code for the browser. */
export interface BrowserModules {
  /** A JavaScript expression: an object with `{ schema, derive }` for each template name. Absent if none can run there. */
  readonly expression?: string;
  /** An expression: what makes the functions of packages that each template needs. Absent if none needs any. */
  readonly functions?: string;
  /** Why the others can't run in a browser, by template. */
  readonly obstacles: ReadonlyMap<string, ModuleError>;
}

/** Bundles `variables.ts` files, with everything that they import, into one expression for a classic script. */
export async function inlineForBrowser(
  files: readonly VariablesFile[],
  project: Pick<Project, "dataFolder">,
): Promise<BrowserModules> {
  if (files.length === 0) return { obstacles: new Map() };
  const together = await inlined(files, project);
  if (!(together instanceof ModuleError)) return { expression: together, obstacles: new Map() };

  const obstacles = new Map<string, ModuleError>();
  for (const file of files) {
    // Leaving zod out takes a tenth of the time.
    const alone = await inlined([file], project, ["zod"]);
    if (alone instanceof ModuleError) obstacles.set(file.template, alone);
  }
  const others = files.filter(({ template }) => !obstacles.has(template));
  const expression = others.length === 0 ? undefined : await inlined(others, project);
  if (expression instanceof ModuleError) throw expression;
  return { obstacles, ...(expression !== undefined && { expression }) };
}

async function inlined(
  files: readonly VariablesFile[],
  project: Pick<Project, "dataFolder">,
  external: readonly string[] = [],
): Promise<string | ModuleError> {
  const problems: ModuleError[] = [];
  try {
    const { code } = await withEntry(files, project, (entry) =>
      bundleModule(entry, {
        external,
        platform: "browser",
        transform(module) {
          problems.push(...[portabilityProblem(module) ?? nodeProblem(module)].filter((each) => each !== undefined));
        },
      }),
    );
    return problems[0] ?? `(() => {"use strict";${code.replace(EXPORTS, "return $1;")}})()`;
  } catch (error) {
    if (error instanceof ModuleError) return error;
    throw error;
  }
}

const EXPORTS = /export\s*\{\s*(\S+) as modules\s*\};?\s*$/;

/** The first use of a Node.js global. Environment variables don't exist in a browser. */
function nodeProblem({ file, code, program }: OwnModule): ModuleError | undefined {
  let first: { readonly node: ESTree.Node; readonly name: string } | undefined;
  walk(program, (node) => {
    if (node.type !== "MemberExpression" || node.object.type !== "Identifier") return;
    const { name } = node.object;
    const isNodeEnv = code.startsWith("process.env.NODE_ENV", node.start);
    if (["process", "Buffer"].includes(name) && !isNodeEnv) first ??= { node, name };
  });
  return (
    first &&
    new ModuleError(`${first.name} doesn't exist in a browser.`, { file, ...positionAt(code, first.node.start) })
  );
}
