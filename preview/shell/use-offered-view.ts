import { useEffect } from "react";
import { useOfProject } from "../state/data.js";
import { changeView, useView } from "../state/view-store.js";

/** A link may come from a page with more features: replaces a screen or tab that this page does not have. */
export const useOfferedView = (): void => {
  const { screen, bottom } = useView();
  const { seeInbox, seeRemote } = useOfProject(({ can }) => can);
  const hasNoScreen = screen === "inbox" && !seeInbox;
  const hasNoTab = bottom === "remote" && !seeRemote;
  useEffect(() => {
    if (hasNoScreen) changeView({ screen: "template" }, "replace");
    if (hasNoTab) changeView({ bottom: "problems" }, "replace");
  }, [hasNoScreen, hasNoTab]);
};
