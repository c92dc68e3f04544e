import path from "node:path";
import type { AssetsConfig } from "../../../project/config.js";
import type { Diagnostic } from "../../../diagnostic.js";
import { Latest } from "../../../cache/memoize.js";
import { loadTemplates } from "../../../project/load-templates.js";
import type { Template } from "../../../project/template.js";
import type { CompiledBodies } from "../../contract.js";
import type { CommitsAccess, CommittedProject } from "../preview-access.js";
import { PreviewRefusal } from "../refusal.js";
import { withoutBrokenFixtures, withSample } from "./fixtures.js";
import { compileBatch } from "./compile-batch.js";
import { bodiesOf } from "./detail.js";

/** Minimum number of results that are remembered; the maximum is twice as many. */
const REMEMBERED = 20;

/** Templates at earlier commits. They are compiled on demand, one at a time. */
export class CommittedTemplates {
  readonly #commits: CommitsAccess;
  readonly #known = new Latest<CompiledBodies>(REMEMBERED);
  #last: Promise<unknown> = Promise.resolve();

  constructor(commits: CommitsAccess) {
    this.#commits = commits;
  }

  /**
   * @param template Its current version. Its file at the commit is found by following renames.
   * @throws {LettershopError} The template did not exist at the commit, or does not compile.
   */
  at(hash: string, template: Template, assets: AssetsConfig | undefined): Promise<CompiledBodies> {
    const key = JSON.stringify([hash, template.body.file, assets]);
    const turn = this.#last.then(async () => {
      const compile = (then: CommittedProject) => compileThen(hash, template, then, assets);
      const bodies = this.#known.get(key) ?? (await this.#commits.withProject(hash, compile));
      this.#known.set(key, bodies);
      return bodies;
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

async function compileThen(
  hash: string,
  now: Template,
  then: CommittedProject,
  assets: AssetsConfig | undefined,
): Promise<CompiledBodies> {
  const template = await findThen(hash, now, then);
  const compile = async (each: Template) => (await compileBatch([each], then.context(assets), () => true))[0];
  const result = await compile(template);
  const entry = { name: template.name, template, revision: 0 };
  const rest = result && (withSample(result, entry) ?? withoutBrokenFixtures(result, entry));
  const { compiled, diagnostics = [] } = (rest ? await compile(rest.template) : result) ?? {};
  if (compiled) return bodiesOf(compiled);
  throw notCompiled(hash, now.name, diagnostics);
}

/**
 * Finds the template by its file or, if that did not exist, by its name: it may have been written with another engine.
 */
async function findThen(hash: string, { name, body }: Template, then: CommittedProject): Promise<Template> {
  const file = await then.fileThen(body.file);
  const load = (only?: readonly string[]) => {
    const { templates, incomplete = [], diagnostics } = loadTemplates(then.project.roots, only);
    return { templates: [...templates, ...incomplete], diagnostics };
  };
  const isSame = (each: Template) => each.body.file === file;
  const { templates, diagnostics } = load([name]);
  const [named] = templates;
  const template = named && isSame(named) ? named : (load().templates.find(isSame) ?? named);
  if (template) return template;
  const problems = diagnostics.filter((each) => each.template === name);
  if (problems.length > 0) throw notCompiled(hash, name, problems);
  throw new PreviewRefusal(404, `${name} is not in the project at commit ${hash}.`);
}

/** With the first error and its position. */
function notCompiled(hash: string, name: string, diagnostics: readonly Diagnostic[]): PreviewRefusal {
  const { message = "", at } = diagnostics.find(({ severity }) => severity === "error") ?? {};
  const line = at?.line === undefined ? "" : `, line ${at.line}`;
  const place = at ? `${path.basename(at.file)}${line}: ` : "";
  return new PreviewRefusal(422, `${name} doesn't compile at commit ${hash}. ${place}${message}`);
}
