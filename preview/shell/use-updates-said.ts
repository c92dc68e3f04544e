import { useEffect } from "react";
import { useDataStore } from "../state/data.js";
import { announce } from "../ui/notice.js";

/** Announces to screen readers which templates a save changed. */
export const useUpdatesSaid = (): void => {
  const store = useDataStore();
  useEffect(
    () =>
      store.onChanged((names) =>
        announce(names.length > 3 ? `${names.length} templates updated` : `${names.join(", ")} updated`),
      ),
    [store],
  );
};
