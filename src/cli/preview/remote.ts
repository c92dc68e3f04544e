import { NO_RETRIES } from "../../api/calls/policy.js";
import { type Environment, isIncluded, remoteName } from "../../project/environment.js";
import type { Project } from "../../project/load-project.js";
import { findOtherOwner } from "../../project/local-owner.js";
import type { DeployedTemplate, RemoteReport } from "../../preview/contract.js";
import { linesAround } from "../../sync/diff/hunks.js";
import {
  type FieldChange,
  observeService,
  operationsOf,
  type Plan,
  type readRemote,
  readSummaries,
  readTemplate,
  type RemoteTemplate,
  type ServiceObserver,
  targetName,
} from "../../sync/index.js";
import { memoizeByString } from "../../cache/memoize.js";
import { timeLimit } from "../../time-limit.js";
import { readCompiled } from "../keyless/compiled.js";
import { localSide } from "../deploy/local-side.js";
import { cautious, planDeployment } from "../deploy/plan-deployment.js";
import { statesOf } from "../deploy/compare.js";
import { failureOf } from "../failure.js";
import { connect, type Target, withLocalAssets } from "../target.js";
import { AwayError, OtherProjectError } from "./away.js";
import { usableEnvironment } from "./environments.js";
import { quietOutput } from "../output.js";

/** A request to compare one template with one environment. */
export interface RemoteQuestion {
  readonly environment: string;
  readonly template: string;
  /** The local template, compiled for the environment by another process; absent if it does not compile. */
  readonly compiled?: unknown;
}

export type Remote = ReturnType<typeof createRemote>;

type IsSeen = (variable: string) => boolean;

/** Timeout for one environment, in ms. */
const TIMEOUT_MS = 20_000;
const CONTEXT_LINES = 2;

/** Compares templates with environments, without changing anything there. */
export function createRemote(ending: AbortSignal) {
  const readerFor = memoizeByString(Infinity, () => rememberedRemote());

  /** One reader per service and key. */
  function readerOf({ url, domain, apiKey }: Environment): typeof readRemote {
    return readerFor(JSON.stringify([url, domain, apiKey]));
  }

  /** Connects to an environment for the duration of `use`. */
  async function connected<Answer>(
    environment: Environment,
    use: (connection: {
      readonly target: Target;
      readonly observer: ServiceObserver;
      readonly signal: AbortSignal;
    }) => Promise<Answer>,
  ): Promise<Answer> {
    const observer = observeService();
    const target = connect(environment, { policy: NO_RETRIES, ...observer.hooks });
    const signal = timeLimit(TIMEOUT_MS, ending);
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
    return connected(environment, async ({ target, observer, signal }) => {
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
        lines: linesAround(change, CONTEXT_LINES),
      }));
      return { ...known, state, changes, ...(updatedAt !== undefined && { updatedAt }) };
    });
  }

  async function readDeployed(environment: Environment, template: string): Promise<DeployedTemplate | undefined> {
    const name = remoteName(environment, template);
    const { domain } = environment;
    const { templates } = await connected(environment, ({ target: { client }, observer, signal }) =>
      readerOf(environment)({ client, domain, reached: () => observer.reached(), wanted: () => [name], signal }),
    );
    const deployed = templates.get(name);
    if (!deployed) return undefined;
    const { subject, html_body: html, text_body: text } = deployed.content;
    return { subject, html, text, updatedAt: deployed.updatedAt };
  }

  return {
    /** If the environment can't be compared, the report says why. */
    async report(project: Project, question: RemoteQuestion, isSeen: IsSeen): Promise<RemoteReport> {
      try {
        return await look(project, await openEnvironment(project, question.environment, isSeen), question);
      } catch (error) {
        const failure = failureOf(localised(error, question.environment));
        if (failure === undefined) throw error;
        const { message, hint } = failure;
        return { environment: question.environment, state: "unknown", changes: [], trouble: { message, hint } };
      }
    },

    /**
     * Reads a deployed template; undefined if the environment does not have it.
     *
     * @throws {LettershopError} The environment can't be reached, or it refuses the request.
     */
    async deployed(
      project: Project,
      { environment, template }: Pick<RemoteQuestion, "environment" | "template">,
      isSeen: IsSeen,
    ): Promise<DeployedTemplate | undefined> {
      try {
        return await readDeployed(await openEnvironment(project, environment, isSeen), template);
      } catch (error) {
        throw localised(error, environment);
      }
    },
  };
}

async function openEnvironment(project: Project, name: string, isSeen: IsSeen): Promise<Environment> {
  const environment = usableEnvironment(project, name, isSeen);
  if (environment.searchedFrom !== undefined) await requireOwn(environment.url, project.folder);
  return environment.name === "local" ? withLocalAssets(environment) : environment;
}

/** An unreachable local service is reported as not running. */
function localised(error: unknown, environment: string): unknown {
  return environment === "local" && failureOf(error)?.code === "unreachable" ? new AwayError(error) : error;
}

/** @throws {OtherProjectError} The service at the URL belongs to another project. */
async function requireOwn(url: string, folder: string): Promise<void> {
  const other = await findOtherOwner(url, folder, AbortSignal.timeout(5_000)).catch(() => undefined);
  if (other !== undefined) throw new OtherProjectError(url, other);
}

function changesOf(plan: Plan, name: string): readonly FieldChange[] {
  const operation = operationsOf(plan).find((each) => targetName(each) === name);
  if (operation !== undefined && "changes" in operation) return operation.changes;
  return plan.held.find((held) => held.name === name)?.changes ?? [];
}

/** How long an environment's list of templates is cached, in ms. */
const LIST_MS = 10_000;

/**
 * A `readRemote` for one environment that needs few requests: it caches the list for some seconds, and each template for as long
 * as its `updatedAt` in the list stays the same.
 */
function rememberedRemote(): typeof readRemote {
  let list: ReturnType<typeof readSummaries> | undefined;
  const bodies = new Map<string, Promise<RemoteTemplate | undefined>>();

  function readList(options: Parameters<typeof readSummaries>[0]): ReturnType<typeof readSummaries> {
    if (list !== undefined) return list;
    const reading = readSummaries(options);
    list = reading;
    const forget = () => {
      if (list === reading) list = undefined;
    };
    reading.then(() => setTimeout(forget, LIST_MS).unref(), forget);
    return reading;
  }

  return async (options) => {
    const { summaries: listed, leases, askedAt } = await readList(options);
    const summaries = new Map(listed);
    const templates = new Map<string, RemoteTemplate>();
    for (const name of await options.wanted(summaries)) {
      const version = JSON.stringify([name, summaries.get(name)?.updatedAt]);
      const reading = bodies.get(version) ?? readTemplate(name, options, summaries);
      bodies.set(version, reading);
      reading.catch(() => bodies.delete(version));
      const template = await reading;
      if (template === undefined) summaries.delete(name);
      else templates.set(name, template);
    }
    return { summaries, templates, leases, askedAt };
  };
}
