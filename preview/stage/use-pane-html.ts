import { useEffect, useMemo, useState } from "react";
import { messageOf } from "../data/source.js";
import { useOfProject, useReport, useSource, useTemplate } from "../state/data.js";
import { type Filled, useFilled } from "../variables/filled.js";
import { OWN_VERSION, type Pane, versionWord } from "../state/view.js";
import { renderMustache } from "../../src/mustache/fill.js";
import type { Variables } from "../../src/mustache/variables.js";
import type { ElementPlace, TemplateDetail, TemplateReport } from "../../src/preview/contract.js";

/** The version of the email that a pane shows, as its client renders it, filled with the pane's variables. */
export function usePaneHtml(pane: Pane): Filled & { readonly html?: string | undefined } {
  const { detail } = useTemplate();
  const report = useReport();
  const assetsBase = useOfProject((project) => project.assetsBase);
  const version = useFilled(pane);
  const { variables, message, other } = version;
  const isOwn = versionWord(pane) === OWN_VERSION;
  const compiled = useMemo(
    () => (isOwn ? detail && placedHtml(detail, report) : other?.html),
    [isOwn, detail, report, other],
  );
  const taken = useClientView(pane.client, compiled, detail?.name);
  const html = useMemo(
    () => (message && variables && taken.html ? shownHtml(taken.html, variables, assetsBase) : undefined),
    [message, variables, taken.html, assetsBase],
  );
  return { ...version, html, ...(taken.trouble !== undefined && { trouble: taken.trouble }) };
}

interface ClientView {
  readonly html?: string | undefined;
  readonly trouble?: string;
}

/** The part of the HTML that a client supports. While the answer is pending, the template's previous view is shown. */
function useClientView(client: string | undefined, html: string | undefined, template: string | undefined): ClientView {
  const source = useSource();
  const [view, setView] = useState<ClientView & { readonly of: string }>();
  const of = `${client} ${template}`;
  useEffect(() => {
    if (client === undefined || html === undefined) return undefined;
    let isWanted = true;
    const show = (next: ClientView) => isWanted && setView({ ...next, of });
    source.clientView({ client, html }).then(show, (error: unknown) => show({ trouble: messageOf(error) }));
    return () => {
      isWanted = false;
    };
  }, [of, client, html, source]);
  if (client === undefined) return { html };
  return view?.of === of ? view : {};
}

const NAME = /<[^\s/>]+/y;

/**
 * Adds the number of its source place to each element of the compiled HTML, so that elements lead back to their source.
 */
function withPlaces(html: string, places: readonly ElementPlace[]): string {
  let placed = "";
  let copied = 0;
  places.forEach(({ offset }, index) => {
    NAME.lastIndex = offset;
    if (offset < copied || !NAME.test(html)) return;
    placed += `${html.slice(copied, NAME.lastIndex)} data-place="${index}"`;
    copied = NAME.lastIndex;
  });
  return placed + html.slice(copied);
}

/** The compiled HTML that the panes fill. */
function placedHtml({ compiled, revision }: TemplateDetail, report: TemplateReport | undefined): string {
  // A report of another revision describes different HTML.
  return compiled ? withPlaces(compiled.html, report?.revision === revision ? report.places : []) : "";
}

/** The HTML that panes show: filled, and with the project's own images loaded from the page's server. */
function shownHtml(html: string, variables: Variables, assetsBase: string | undefined): string {
  const known = shown.get(variables);
  if (known?.html === html) return known.filled;
  const filled = renderMustache(html, variables, { escape: "html" });
  const local = assetsBase === undefined ? filled : filled.replaceAll(`${assetsBase}/`, "assets/");
  shown.set(variables, { html, filled: local });
  return local;
}

/** Panes with the same content share the filled HTML. */
const shown = new WeakMap<Variables, { html: string; filled: string }>();
