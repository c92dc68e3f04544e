import { Braces } from "lucide-react";
import { EmptyState } from "../ui/empty-state.js";

export const NoVariables = () => (
  <EmptyState icon={Braces} title="No variables">
    Every recipient gets the same email.
  </EmptyState>
);
