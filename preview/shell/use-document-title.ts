import { useEffect } from "react";
import { useOfProject } from "../state/data.js";
import { useView } from "../state/view-store.js";

export const useDocumentTitle = (): void => {
  const name = useOfProject((project) => project.name);
  const { screen, template } = useView();
  const shown = screen === "inbox" ? "Inbox" : template;
  const title = shown ? `${shown} · ${name}` : name;
  useEffect(() => {
    document.title = title;
  }, [title]);
};
