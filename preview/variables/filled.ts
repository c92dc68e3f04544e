import { hasSchema } from "../data/source.js";
import { useDeferredValue, useEffect, useMemo } from "react";
import type { Message } from "../../src/mustache/fill.js";
import type { Variables } from "../../src/mustache/variables.js";
import type { CompiledBodies, DeployedTemplate, TemplateDetail } from "../../src/preview/contract.js";
import { completeHere, completeForCommit, type Completion, completions, fillOnce } from "./completed.js";
import type { DeriveContext } from "../../src/project/registry-types.js";
import { type Input, inputOf } from "./input.js";
import { problemText } from "./path.js";
import { fixtureKey, unsaved } from "./unsaved.js";
import { useIsConnected, useOfProject, useSource, useTemplate } from "../state/data.js";
import { desktop, OWN_VERSION, type Pane, versionWord } from "../state/view.js";
import { useEdited, useView } from "../state/view-store.js";
import { AnswerStore } from "../state/stores.js";

/** The template's input: the view's fixture, or the edited variables. */
export function useInput(): Input {
  const { template, fixture } = useView();
  const edited = useEdited();
  const { detail } = useTemplate(template);
  const input = inputOf(detail, fixture, edited);
  const answer = useCompletion(detail, input);
  return answer.isCurrent ? withProblems(input, answer) : input;
}

export interface Filled {
  readonly variables?: Variables;
  /** The message of the version that the pane shows. */
  readonly message?: Message;
  /** The other version that the pane shows. Undefined for the project's own. */
  readonly other?: OtherTemplate;
  /** A sentence about variables that do not fit the other version. */
  readonly misfit?: string;
  /** Loads a deployed version again. */
  readonly refresh: () => void;
  /** A sentence about why the email is out of date. */
  readonly trouble?: string;
  /** Whether the problem is in the fixture's file. Then there may be no earlier email that is shown instead. */
  readonly isOfFixture: boolean;
  readonly isPending: boolean;
}

/** The template, filled for a pane. Without a pane: as the envelope and the text body show it. */
export function useFilled(pane?: Pane): Filled {
  const { template, fixture } = useView();
  const edited = useEditedBehind();
  const { detail } = useTemplate(template);
  const shown = inputOf(detail, fixture, edited);
  const project = useOfProject(({ name }) => name);
  const pinned = pane?.fixture === undefined ? undefined : inputOf(detail, pane.fixture);
  const draft = unsaved.use(fixtureKey(project, template, pinned?.fixture?.name));
  const own = pinned === undefined ? shown : draft === undefined ? pinned : inputOf(detail, pane?.fixture, draft);
  const input = own.fixture === shown.fixture ? shown : own;
  const context = useDeriveContext(pane);
  const answer = useCompletion(detail, input, pane);
  const { refresh, ...other } = useOtherVersion(pane ?? desktop);
  if (detail?.compiled === undefined) return { isPending: false, isOfFixture: false, refresh };
  const { variables, trouble, isPending } = variablesOf(detail, detail.compiled, input, { answer, context });
  if (variables === undefined) return { trouble, isPending, isOfFixture: false, refresh };
  const isOwn = pane === undefined || versionWord(pane) === OWN_VERSION;
  const bodies = isOwn ? detail.compiled : other.template;
  // An environment's version has no contract, so today's contract completes the variables.
  const isCommitted = !isOwn && bodies !== undefined && "contract" in bodies;
  const { value: completed = variables, misfit } = isCommitted
    ? completeForCommit(bodies, input, {
        derived: detail.derives && hasSchema(detail) ? variables : undefined,
        context,
      })
    : {};
  const { value: message, trouble: unfilled } = bodies ? fillOnce(bodies, completed) : {};
  const blocking = other.trouble ?? trouble ?? unfilled;
  const { problem, isMadeUp } = input.fixture ?? {};
  const reported = blocking ?? (input.isEdited || isMadeUp ? undefined : problem);
  const isOfFixture = blocking === undefined && reported !== undefined;
  return {
    variables: completed,
    isPending,
    isOfFixture,
    refresh,
    message,
    other: other.template,
    misfit,
    trouble: reported,
  };
}

/**
 * The edited variables, deferred so that typing does not wait for the email. The last edit is always shown in the end.
 */
function useEditedBehind(): string | undefined {
  const { template, fixture } = useView();
  const edited = useEdited();
  const now = useMemo(() => ({ template, fixture, edited }), [template, fixture, edited]);
  const behind = useDeferredValue(now);
  return behind.template === template && behind.fixture === fixture ? behind.edited : edited;
}

interface Answer extends Completion {
  /** Whether it answers the current variables. */
  readonly isCurrent: boolean;
  /** Whether a request is needed. */
  readonly isNeeded: boolean;
}

/** The locale and time zone of a pane, by default those of the project. */
function useDeriveContext(pane?: Pane): DeriveContext {
  const usualLocale = useOfProject((project) => project.locale);
  const usualTimeZone = useOfProject((project) => project.timeZone);
  return { locale: pane?.locale ?? usualLocale, timeZone: pane?.timeZone ?? usualTimeZone };
}

/** The server's answer about variables that the page cannot complete by itself. */
function useCompletion(detail: TemplateDetail | undefined, input: Input, pane?: Pane): Answer {
  const usual = useDeriveContext();
  const { locale, timeZone } = useDeriveContext(pane);
  const source = useSource();
  const isConnected = useIsConnected();
  const isAsUsual = locale === usual.locale && timeZone === usual.timeZone;
  const isNeeded = detail !== undefined && needsServer(detail, input, isAsUsual);
  const place = JSON.stringify([detail?.name, input.fixture?.name, locale, timeZone]);
  const key = isNeeded ? JSON.stringify([detail.revision, input.input]) : "";
  useEffect(() => {
    if (!isNeeded) return completions.forget(place);
    const request = { input: input.input, locale, timeZone };
    completions.ask(place, { key, ask: () => source.variables(detail.name, request) });
    // The key covers the revision and the input.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isNeeded, place, key, source, isConnected]);
  const completion = completions.use(place);
  return { ...completion, isNeeded, isCurrent: isNeeded && completion.key === key };
}

function needsServer(detail: TemplateDetail, { isEdited }: Input, isAsUsual: boolean): boolean {
  if (detail.compiled === undefined) return false;
  if (detail.derives) return isEdited || !isAsUsual;
  return isEdited && hasSchema(detail);
}

function variablesOf(
  { derives }: TemplateDetail,
  compiled: CompiledBodies,
  input: Input,
  { answer, context }: { readonly answer: Answer; readonly context: DeriveContext },
): Pick<Filled, "variables" | "trouble" | "isPending"> {
  const { isEdited, fixture } = input;
  if (!derives) {
    const { value, trouble } = isEdited || !fixture ? completeHere(compiled, input.input, context) : {};
    return { variables: value ?? fixture?.variables, trouble, isPending: false };
  }
  const fixed = fixture?.variables ?? completeHere(compiled, input.input, context).value;
  if (!answer.isNeeded) return { variables: fixed, isPending: false };
  const [problem] = answer.problems;
  return {
    variables: answer.variables ?? fixed,
    trouble: answer.trouble ?? (answer.isCurrent && problem ? problemText(problem) : undefined),
    isPending: !answer.isCurrent || answer.isPending,
  };
}

/** The server's problems are more exact, because it has the schema itself. */
function withProblems(input: Input, { problems, trouble }: Completion): Input {
  if (trouble !== undefined) return input;
  const known = inputsByProblems.get(problems) ?? { ...input, problems };
  inputsByProblems.set(problems, known);
  return known;
}

const inputsByProblems = new WeakMap<readonly object[], Input>();

/** An environment's version, or what a commit's files compile to. */
type OtherTemplate = DeployedTemplate | CompiledBodies;

const others = new AnswerStore<OtherTemplate>();

/**
 * The view's template in the version that a pane shows, unless that is the project's own. It is loaded each time the
 * pane appears.
 */
function useOtherVersion({ deployedTo, commit }: Pick<Pane, "deployedTo" | "commit">) {
  const { template } = useView();
  const source = useSource();
  const isConnected = useIsConnected();
  const key = JSON.stringify([template, deployedTo, commit]);
  const refresh = () => {
    if (template === undefined) return;
    if (deployedTo !== undefined) void others.ask(key, source.deployed(template, deployedTo));
    // A commit never changes.
    else if (commit !== undefined && !others.get(key)?.value) void others.ask(key, source.committed(template, commit));
  };
  useEffect(() => {
    refresh();
    // The key covers the template and its version.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key, source, isConnected]);
  const answer = others.use(key);
  return { template: answer?.value, trouble: answer?.trouble, refresh };
}
