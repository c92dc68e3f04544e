import { ConfigurationError } from "../../errors.js";
import { renderMustache } from "../../mustache/fill.js";
import type { Variables } from "../../mustache/variables.js";
import type { RegistryEntry, TemplateBodies } from "../../template/registry.js";

/** A message as its recipient reads it. The bodies are there where the registry has them. */
export interface FilledMessage {
  readonly subject: string;
  readonly html?: string;
  readonly text?: string;
}

export interface FillOptions {
  /** Takes the place of the template's; Mustache. */
  readonly subject?: string | undefined;
  /** Where the images of `_assets` are. Default `assets`, as in what `templates build` writes. */
  readonly assets?: string | undefined;
}

/**
 * Fills a template as the service does, with what the registry has of it.
 *
 * @example
 * const { subject, html, text } = await fillMessage(templates.templates.receipt, email.variables);
 *
 * @param variables Complete: with derived variables, conditions and explicit nulls, as they are sent.
 * @throws {ConfigurationError} The registry has bodies, and the file with this template's cannot be loaded.
 */
export async function fillMessage(
  entry: RegistryEntry,
  variables: Variables,
  { subject = entry.subject, assets }: FillOptions = {},
): Promise<FilledMessage> {
  const bodies = await loadBodies(entry);
  return {
    subject: renderMustache(subject, variables, { escape: "none" }),
    ...(bodies && fillBodies(bodies, variables, assets)),
  };
}

export function fillBodies(
  { html, text }: TemplateBodies,
  variables: Variables,
  assets = "assets",
): Required<Pick<FilledMessage, "html" | "text">> {
  const base = assets.replace(/\/+$/, "");
  return {
    html: renderMustache(html(base), variables, { escape: "html" }),
    text: renderMustache(text(base), variables, { escape: "none" }),
  };
}

/** Undefined where the registry was written without bodies. */
export async function loadBodies(entry: RegistryEntry): Promise<TemplateBodies | undefined> {
  try {
    return await entry.bodies?.();
  } catch (cause) {
    throw new ConfigurationError("The compiled bodies of a template cannot be loaded.", {
      cause,
      hint: "Run `templates types`, and ship the bodies that it writes beside the registry.",
    });
  }
}
