import { useLayoutEffect } from "react";
import { useOfProject } from "../state/data.js";

/** Acts once the list has a template, before anything is painted without its old name. Without a name, it waits for one. */
export const useWhenListed = (name: string | undefined, act: () => void): void => {
  const isListed = useOfProject(({ templates }) => templates.some((template) => template.name === name));
  useLayoutEffect(() => {
    if (isListed) act();
    // Whatever else is drawn meanwhile, once is enough.
  }, [isListed]);
};
