import { useEffect, useLayoutEffect, useRef } from "react";
import { changeView, useView } from "../state/view-store.js";
import { useIsNarrow } from "./use-narrow.js";

/**
 * In a narrow window, at most one panel lies over the email, and none at first. It closes when something is selected in
 * it.
 */
export const useOneDrawer = (): void => {
  const isNarrow = useIsNarrow();
  const { template, fixture, right, isSidebarHidden } = useView();
  const wasNarrow = useRef(false);
  // Before the first paint, so that no panel flashes up.
  useLayoutEffect(() => {
    if (isNarrow === wasNarrow.current) return;
    wasNarrow.current = isNarrow;
    changeView({ isSidebarHidden: isNarrow || undefined, ...(isNarrow && { right: undefined }) }, "replace");
  }, [isNarrow]);
  useEffect(() => {
    if (isNarrow) changeView({ isSidebarHidden: true }, "replace");
  }, [isNarrow, template, fixture]);
  const isListShown = !isSidebarHidden;
  useEffect(() => {
    if (isNarrow && isListShown) changeView({ right: undefined }, "replace");
  }, [isNarrow, isListShown]);
  useEffect(() => {
    if (isNarrow && right) changeView({ isSidebarHidden: true }, "replace");
  }, [isNarrow, right]);
};
