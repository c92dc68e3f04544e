import { useEffect } from "react";
import { useTemplate } from "../state/data.js";
import { changeView, currentView } from "../state/view-store.js";
import { notify } from "../ui/notice.js";

/** Removes a fixture that does not exist or no longer exists from the view, and notifies the user. Edits stay. */
export const useMissingFixture = (): void => {
  const { detail } = useTemplate();
  useEffect(() => {
    if (!detail || detail.failure) return;
    const { template, fixture, panes, edited } = currentView();
    const names = detail.fixtures.map(({ name }) => name);
    const isMissing = (name: string | undefined) => name !== undefined && !names.includes(name);
    const missing = [fixture, ...panes.map((pane) => pane.fixture)].find(isMissing);
    if (detail.name !== template || missing === undefined) return;
    const [first] = names;
    notify(`Fixture "${missing}" no longer exists.${first ? ` Showing "${first}".` : ""}`, "error");
    changeView(
      {
        ...(isMissing(fixture) && { fixture: undefined, edited }),
        panes: panes.map((pane) => (isMissing(pane.fixture) ? { ...pane, fixture: undefined } : pane)),
      },
      "replace",
    );
    // A fixture that was selected or saved before its template has loaded is not missing.
  }, [detail]);
};
