import { useDeferredValue, useEffect, useMemo, useSyncExternalStore } from "react";
import type { Message } from "../../../mustache/fill.js";
import type { Variables } from "../../../mustache/variables.js";
import type { TemplateDetail } from "../../contract.js";
import { completedHere, completedThen, filled } from "../variables/completed.js";
import { type Completion, completions } from "../variables/completions.js";
import { hasSchema, type Input, inputOf } from "../variables/input.js";
import { problemInWords } from "../variables/path.js";
import { fixtureKey, unsaved } from "../variables/unsaved.js";
import { useIsConnected, useOfProject, useSource, useTemplate } from "./data.js";
import { type OtherTemplate, useOtherVersion } from "./other-version.js";
import { desktop, OWN_VERSION, versionWord } from "./pane.js";
import type { Pane } from "./view.js";
import { useEdited, useView } from "./view-store.js";

/** What the template is filled with: the view's fixture, or what was edited. */
export function useInput(): Input {
  const { template, fixture } = useView();
  const edited = useEdited();
  const { detail } = useTemplate(template);
  const input = inputOf(detail, fixture, edited);
  const answer = useCompletion(detail, input);
  return answer?.isOfNow === true ? withProblems(input, answer.completion) : input;
}

export interface Filled {
  readonly variables?: Variables;
  /** Of the version that the pane shows. */
  readonly message?: Message;
  /** That version, where it is not the project's own. */
  readonly other?: OtherTemplate;
  /** What of the variables that version was not made for, in a sentence. */
  readonly misfit?: string;
  /** Reads a deployed version again. */
  readonly refresh: () => void;
  /** Why this is not what the newest variables give but what was shown last, in a sentence. */
  readonly trouble?: string;
  /** Whether that is what its fixture's file has: then nothing needs to have been shown before. */
  readonly isOfFixture: boolean;
  readonly isPending: boolean;
}

/** The template, filled for a pane; without one, as the envelope and the text have it. */
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
  const answer = useCompletion(detail, input, pane);
  const { refresh, ...other } = useOtherVersion(pane ?? desktop);
  if (detail?.compiled === undefined) return { isPending: false, isOfFixture: false, refresh };
  const { variables, trouble, isPending } = variablesOf(detail, input, answer);
  if (variables === undefined) {
    return { isPending, isOfFixture: false, refresh, ...(trouble !== undefined && { trouble }) };
  }
  const isOwn = pane === undefined || versionWord(pane) === OWN_VERSION;
  const bodies = isOwn ? detail.compiled : other.template;
  // Of an environment's version no contract is known, and what today's makes of the variables has to do.
  const isCommitted = !isOwn && bodies !== undefined && "contract" in bodies;
  const { value: completed = variables, misfit } = isCommitted ? completedThen(bodies, input, detail, variables) : {};
  const { value: message, trouble: unfilled } = bodies ? filled(bodies, completed) : {};
  const found = other.trouble ?? trouble ?? unfilled;
  const { problem, isMadeUp } = input.fixture ?? {};
  const said = found ?? (input.isEdited || isMadeUp ? undefined : problem);
  const isOfFixture = found === undefined && said !== undefined;
  return {
    variables: completed,
    isPending,
    isOfFixture,
    refresh,
    ...(message && { message }),
    ...(other.template && { other: other.template }),
    ...(misfit !== undefined && { misfit }),
    ...(said !== undefined && { trouble: said }),
  };
}

/** Behind what is typed, so that whoever types does not wait for the email; what is typed last counts. */
function useEditedBehind(): string | undefined {
  const { template, fixture } = useView();
  const edited = useEdited();
  const now = useMemo(() => ({ template, fixture, edited }), [template, fixture, edited]);
  const behind = useDeferredValue(now);
  return behind.template === template && behind.fixture === fixture ? behind.edited : edited;
}

interface Answer {
  readonly completion: Completion;
  /** Whether it is about the variables that are asked for now. */
  readonly isOfNow: boolean;
  /** Whether there is anything to ask. */
  readonly isAsked: boolean;
}

/** What the server says to variables, where the page cannot know. */
function useCompletion(detail: TemplateDetail | undefined, input: Input, pane?: Pane): Answer | undefined {
  const usualLocale = useOfProject((project) => project.locale);
  const usualTimeZone = useOfProject((project) => project.timeZone);
  const source = useSource();
  const isConnected = useIsConnected();
  const locale = pane?.locale ?? usualLocale;
  const timeZone = pane?.timeZone ?? usualTimeZone;
  const isAsUsual = locale === usualLocale && timeZone === usualTimeZone;
  const isAsked = detail !== undefined && asksServer(detail, input, isAsUsual);
  const place = JSON.stringify([detail?.name, input.fixture?.name, locale, timeZone]);
  const key = isAsked ? JSON.stringify([detail.revision, input.input]) : "";
  useEffect(() => {
    if (!isAsked) return completions.forget(place);
    const request = { input: input.input, locale, timeZone };
    completions.ask(place, { key, ask: () => source.variables(detail.name, request) });
    // The key stands for the revision and the input.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isAsked, place, key, source, isConnected]);
  const completion = useSyncExternalStore(completions.subscribe, () => completions.at(place));
  return { completion, isAsked, isOfNow: isAsked && completion.key === key };
}

function asksServer(detail: TemplateDetail, { isEdited }: Input, isAsUsual: boolean): boolean {
  if (detail.compiled === undefined) return false;
  if (detail.derives) return isEdited || !isAsUsual;
  return isEdited && hasSchema(detail);
}

interface Completed {
  readonly variables?: Variables;
  readonly trouble?: string;
  readonly isPending: boolean;
}

function variablesOf(detail: TemplateDetail, input: Input, answer: Answer | undefined): Completed {
  const { compiled } = detail;
  if (compiled === undefined) return { isPending: false };
  if (!detail.derives) {
    const { value = input.fixture?.variables, trouble } =
      input.isEdited || !input.fixture ? completedHere(compiled, input) : {};
    return { isPending: false, ...(value && { variables: value }), ...(trouble !== undefined && { trouble }) };
  }
  const fixed = input.fixture?.variables ?? completedHere(compiled, input).value;
  if (answer?.isAsked !== true) return { isPending: false, ...(fixed && { variables: fixed }) };
  const { completion, isOfNow } = answer;
  const variables = completion.variables ?? fixed;
  const [problem] = completion.problems;
  const trouble = completion.trouble ?? (isOfNow && problem ? problemInWords(problem) : undefined);
  return {
    isPending: !isOfNow || completion.isPending,
    ...(variables && { variables }),
    ...(trouble !== undefined && { trouble }),
  };
}

/** The server has the schema itself, and knows better. */
function withProblems(input: Input, { problems, trouble }: Completion): Input {
  if (trouble !== undefined) return input;
  const known = told.get(problems) ?? { ...input, problems };
  told.set(problems, known);
  return known;
}

const told = new WeakMap<readonly object[], Input>();
