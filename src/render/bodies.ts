import { ConditionNames } from "../mustache/condition-names.js";
import type { Template } from "../template/template.js";
import { resolveAssets } from "./assets.js";
import { nameConditions, nameOutputConditions } from "./conditions.js";
import type { CompileContext, EngineOutput } from "./engine.js";
import type { Findings } from "./findings.js";
import { withLanguage } from "./language.js";
import { quoteValues } from "./quotes.js";
import { readSubject } from "./subject.js";
import type { Tokenised } from "./tokenised.js";
import { tidy } from "./whitespace.js";

/** An engine's output as the service will get it, except that tags are still tokens. */
export interface Bodies {
  /** With names for its conditions. */
  readonly output: EngineOutput;
  readonly names: ConditionNames;
  readonly subject: Tokenised;
  readonly html: Tokenised;
}

export interface BodiesOptions {
  readonly context: CompileContext;
  readonly findings: Findings;
  /** Receives the paths at which images were looked up. */
  readonly places?: Set<string>;
}

/** The steps from an engine's HTML to the HTML body, which are the same for every engine and in every build. */
export function readBodies(template: Template, engineOutput: EngineOutput, options: BodiesOptions): Bodies {
  const names = new ConditionNames(engineOutput.conditions);
  const output = nameOutputConditions(engineOutput, names);
  const { tags, locate } = output;
  const subject = nameConditions(readSubject(template, output, options.findings), names);
  if (template.metadata.verbatim) return { output, names, subject, html: { text: output.html, tags } };
  const tidied = tidy(quoteValues(withLanguage(output.html, template), tags));
  const html = { text: resolveAssets(tidied, { template, tags, locate, ...options }), tags };
  return { output, names, subject, html };
}
