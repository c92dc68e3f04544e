import { useEffect } from "react";
import type { TemplateCommits } from "../../contract.js";
import { KeyedStore } from "../variables/keyed-store.js";
import { useOfProject, useSource, useVersion } from "./data.js";
import { useView } from "./view-store.js";

const none: TemplateCommits = { ofTemplate: [] };
const known = new KeyedStore<TemplateCommits>();

/** The commits of the view's template: asked for whenever they are about to be offered. */
export function useCommits(): TemplateCommits {
  const { template = "" } = useView();
  const source = useSource();
  const version = useVersion(template);
  const isOffered = useOfProject(({ can }) => can.seeCommits);
  useEffect(() => {
    if (!isOffered || template === "") return;
    // Without an answer, none is offered.
    source.commits(template).then(
      (commits) => known.set(template, commits),
      () => undefined,
    );
  }, [isOffered, template, source, version]);
  return known.use(template) ?? none;
}
