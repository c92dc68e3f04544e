import { ConfigurationError } from "../../errors.js";
import { renderMustache } from "../../mustache/fill.js";
import type { Variables } from "../../mustache/variables.js";
import type { RegistryEntry, TemplateBodies } from "../../project/registry-types.js";

/** A message as its recipient reads it. The bodies are present if the registry has them. */
export interface FilledTemplate {
  readonly subject: string;
  readonly html?: string;
  readonly text?: string;
}

export interface FillOptions {
  /** Replaces the template's subject; may contain Mustache. */
  readonly subject?: string | undefined;
  /** The base URL of the images in `_assets`. Default `assets`, as in the output of `templates build`. */
  readonly assets?: string | undefined;
}

/**
 * Fills a template as the service does, with the subject and bodies in the registry.
 *
 * @example
 * const { subject, html, text } = await fillMessage(templates.templates.receipt, email.variables);
 *
 * @param variables Complete: with derived variables, conditions and explicit nulls, as they are sent.
 * @throws {ConfigurationError} The registry has bodies, but the file with this template's cannot be loaded.
 */
export async function fillMessage(
  entry: RegistryEntry,
  variables: Variables,
  { subject = entry.subject, assets }: FillOptions = {},
): Promise<FilledTemplate> {
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
): Required<Pick<FilledTemplate, "html" | "text">> {
  const base = assets.replace(/\/+$/, "");
  return {
    html: renderMustache(html(base), variables, { escape: "html" }),
    text: renderMustache(text(base), variables, { escape: "none" }),
  };
}

/** Undefined if the registry was written without bodies. */
export async function loadBodies(entry: RegistryEntry): Promise<TemplateBodies | undefined> {
  try {
    return await entry.bodies?.();
  } catch (cause) {
    throw new ConfigurationError("Can't load the compiled bodies of a template.", {
      cause,
      hint: "Run `templates types`, and deploy the bodies that it writes next to the registry.",
    });
  }
}
