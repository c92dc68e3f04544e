import { useEffect, useMemo, useState } from "react";
import { useOfProject, useReport, useSource, useTemplate } from "../state/data.js";
import { type Filled, useFilled } from "../state/filled.js";
import { OWN_VERSION, versionWord } from "../state/pane.js";
import type { Pane } from "../state/view.js";
import { placedHtml, shownHtml } from "./places.js";

/** The version of the email that a pane shows, as its client renders it, filled with the pane's variables. */
export function useShownHtml(pane: Pane): Filled & { readonly html?: string | undefined } {
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
    source.clientView({ client, html }).then(show, (error: unknown) => {
      show({ trouble: error instanceof Error ? error.message : String(error) });
    });
    return () => {
      isWanted = false;
    };
  }, [of, client, html, source]);
  if (client === undefined) return { html };
  return view?.of === of ? view : {};
}
