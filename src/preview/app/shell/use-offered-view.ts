import { useEffect } from "react";
import { useOfProject } from "../state/data.js";
import { changeView, useView } from "../state/view-store.js";

/** An address may be of a page that can do more: what this one cannot show makes way for what it can. */
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
