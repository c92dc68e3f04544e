import { SearchX } from "lucide-react";
import { EmptyState } from "../../ui/empty-state.js";

export const NothingFound = ({ filter }: { readonly filter: string }) => (
  <EmptyState icon={SearchX} title={`No problems match "${filter}"`}>
    The filter searches messages, hints, rules and files.
  </EmptyState>
);
