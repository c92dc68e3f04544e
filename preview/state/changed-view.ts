import { startView } from "./address.js";
import type { View } from "./view.js";

/**
 * Applies a change. Members that are set to undefined are removed, and so are members that belonged to the previous
 * template or fixture.
 */
export const changedView = (view: View, change: Partial<View>): View => {
  const isOtherTemplate = "template" in change && change.template !== view.template;
  const isOtherFixture = isOtherTemplate || ("fixture" in change && change.fixture !== view.fixture);
  const next: Partial<View> = {
    ...view,
    ...(isOtherFixture && { edited: undefined, place: undefined }),
    ...(isOtherTemplate && {
      fixture: undefined,
      source: undefined,
      panes: view.panes.map((pane) => ({ ...pane, fixture: undefined })),
    }),
    ...change,
  };
  const { screen, panes, mode, client } = startView;
  return {
    screen,
    panes,
    mode,
    client,
    ...Object.fromEntries(Object.entries(next).filter(([, member]) => member !== undefined)),
  };
};
