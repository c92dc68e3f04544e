import { type Environment, isIncluded, remoteName } from "../../config/environment.js";
import type { Project } from "../../config/load.js";
import { otherOwner } from "../../config/local-owner.js";
import type { DeployedTemplate, RemoteReport } from "../../preview/contract.js";
import { linesAround } from "../../sync/diff/lines-around.js";
import {
  type FieldChange,
  observeService,
  operationsOf,
  type Plan,
  type readRemote,
  type ServiceObserver,
  targetName,
} from "../../sync/index.js";
import { readCompiled } from "../apart/compiled.js";
import { localSide } from "../deploy/local-side.js";
import { cautious, planDeployment } from "../deploy/plan-deployment.js";
import { statesOf } from "../deploy/states.js";
import { failureOf } from "../failure.js";
import { connect, type Target, withLocalAssets } from "../target.js";
import { AwayError, OtherProjectError } from "./away.js";
import { usableEnvironment } from "./environments.js";
import { quietOutput } from "./quiet-output.js";
import { rememberedRemote } from "./remembered.js";

/** What is asked about one template in one environment. */
export interface RemoteQuestion {
  readonly environment: string;
  readonly template: string;
  /** As it is here, compiled for the environment; absent where it does not compile. From another process. */
  readonly compiled?: unknown;
}

/** Tells how templates stand in the environments, and changes nothing there. */
export interface Remote {
  /** Why an environment cannot be compared is part of the answer. */
  report(project: Project, question: RemoteQuestion, isSeen: IsSeen): Promise<RemoteReport>;
  /**
   * Undefined where the environment does not have it.
   *
   * @throws {LettershopError} The environment cannot be reached, or refuses the request.
   */
  deployed(
    project: Project,
    question: Pick<RemoteQuestion, "environment" | "template">,
    isSeen: IsSeen,
  ): Promise<DeployedTemplate | undefined>;
}

type IsSeen = (variable: string) => boolean;

/** Whoever looks at a page does not wait longer for one environment. */
const PATIENCE_MS = 20_000;
/** Lines around each difference. */
const AROUND = 2;

export function createRemote(ending: AbortSignal): Remote {
  const readers = new Map<string, typeof readRemote>();

  /** One for each service and key. */
  function readerOf({ url, domain, apiKey }: Environment): typeof readRemote {
    const key = JSON.stringify([url, domain, apiKey]);
    const reader = readers.get(key) ?? rememberedRemote();
    readers.set(key, reader);
    return reader;
  }

  /** An environment that may be asked, while `use` asks it. */
  async function asking<Answer>(
    environment: Environment,
    use: (asked: {
      readonly target: Target;
      readonly observer: ServiceObserver;
      readonly signal: AbortSignal;
    }) => Promise<Answer>,
  ): Promise<Answer> {
    const observer = observeService();
    const target = connect(environment, { pacing: true, ...observer.hooks });
    const signal = AbortSignal.any([ending, AbortSignal.timeout(PATIENCE_MS)]);
    try {
      return await use({ target, observer, signal });
    } finally {
      await target.close();
    }
  }

  async function look(project: Project, environment: Environment, question: RemoteQuestion): Promise<RemoteReport> {
    const { template, compiled } = question;
    const known = { environment: environment.name, changes: [] };
    if (!isIncluded(environment, template)) return { ...known, state: "excluded by the configuration" };
    if (compiled === undefined) return { ...known, state: "does not compile" };
    return asking(environment, async ({ target, observer, signal }) => {
      const read = readCompiled({ templates: [compiled], diagnostics: [], present: [template] });
      const { plan, input } = await planDeployment({
        project,
        target,
        observer,
        signal,
        output: quietOutput,
        local: Promise.resolve(localSide(read.templates, read.present, environment, project)),
        isPartial: true,
        choices: cautious(project),
        read: readerOf(environment),
      });
      const name = remoteName(environment, template);
      const [state = "unknown"] = statesOf(plan, []).get(name) ?? [];
      const { updatedAt } = input.remote.summaries.get(name) ?? {};
      const changes = changesOf(plan, name).map((change) => ({
        field: change.field,
        lines: linesAround(change, AROUND),
      }));
      return { ...known, state, changes, ...(updatedAt !== undefined && { updatedAt }) };
    });
  }

  async function readDeployed(environment: Environment, template: string): Promise<DeployedTemplate | undefined> {
    const name = remoteName(environment, template);
    const { domain } = environment;
    const { templates } = await asking(environment, ({ target: { client }, observer, signal }) =>
      readerOf(environment)({ client, domain, reached: () => observer.reached(), wanted: () => [name], signal }),
    );
    const deployed = templates.get(name);
    if (!deployed) return undefined;
    const { subject, html_body: html, text_body: text } = deployed.content;
    return { subject, html, text, updatedAt: deployed.updatedAt };
  }

  return {
    async report(project, question, isSeen) {
      try {
        return await look(project, await openEnvironment(project, question.environment, isSeen), question);
      } catch (error) {
        const failure = failureOf(named(error, question.environment));
        if (failure === undefined) throw error;
        const { message, hint } = failure;
        return {
          environment: question.environment,
          state: "unknown",
          changes: [],
          trouble: { message, ...(hint !== undefined && { hint }) },
        };
      }
    },

    async deployed(project, { environment, template }, isSeen) {
      try {
        return await readDeployed(await openEnvironment(project, environment, isSeen), template);
      } catch (error) {
        throw named(error, environment);
      }
    },
  };
}

async function openEnvironment(project: Project, name: string, isSeen: IsSeen): Promise<Environment> {
  const environment = usableEnvironment(project, name, isSeen);
  if (environment.searchedFrom !== undefined) await requireOwn(environment.url, project.folder);
  return environment.name === "local" ? withLocalAssets(environment) : environment;
}

/** A local service that cannot be reached is one that does not run. */
function named(error: unknown, environment: string): unknown {
  return environment === "local" && failureOf(error)?.code === "unreachable" ? new AwayError(error) : error;
}

/** @throws {OtherProjectError} */
async function requireOwn(url: string, folder: string): Promise<void> {
  const other = await otherOwner(url, folder, AbortSignal.timeout(5_000)).catch(() => undefined);
  if (other !== undefined) throw new OtherProjectError(url, other);
}

function changesOf(plan: Plan, name: string): readonly FieldChange[] {
  const operation = operationsOf(plan).find((each) => targetName(each) === name);
  if (operation !== undefined && "changes" in operation) return operation.changes;
  return plan.held.find((held) => held.name === name)?.changes ?? [];
}
