import { useMemo } from "react";
import { useOfProject, useReport, useTemplate } from "../state/data.js";
import { type Filled, useFilled } from "../state/filled.js";
import type { Pane } from "../state/view.js";
import { shownHtml } from "./places.js";

/** The version of the email that a pane shows, filled with the pane's variables. */
export function useShownHtml(pane: Pane): Filled & { readonly html?: string | undefined } {
  const { detail } = useTemplate();
  const report = useReport();
  const assetsBase = useOfProject((project) => project.assetsBase);
  const version = useFilled(pane);
  const { variables, message } = version;
  const isOwn = pane.deployedTo === undefined;
  const html = useMemo(
    () => (isOwn && detail && variables ? shownHtml(detail, report, variables, assetsBase) : undefined),
    [isOwn, detail, report, variables, assetsBase],
  );
  return { ...version, html: isOwn ? html : message?.html };
}
