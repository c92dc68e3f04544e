import { SearchX } from "lucide-react";
import { EmptyState } from "../../ui/empty-state.js";

export const NothingFound = ({ filter }: { readonly filter: string }) => (
  <EmptyState icon={SearchX} title={`No problem has “${filter}”`}>
    The filter looks at messages, hints, rules and files.
  </EmptyState>
);
