import { useEffect, useState } from "react";
import { useProject, useSource } from "../state/data.js";

/** The templates' texts, asked for when somebody searches, and again when a template changed meanwhile. */
export const useContents = (isWanted: boolean): Readonly<Record<string, string>> | undefined => {
  const source = useSource();
  const { templates } = useProject();
  const [contents, setContents] = useState<Readonly<Record<string, string>>>();
  useEffect(() => {
    if (!isWanted) return undefined;
    let isCurrent = true;
    source.contents().then(
      (all) => isCurrent && setContents(all),
      // Names and subjects are searched all the same.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [source, isWanted, templates]);
  return contents;
};
