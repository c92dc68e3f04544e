import { TriangleAlert } from "lucide-react";
import { Component, type ReactNode } from "react";
import { Button } from "../ui/button.js";
import { copyText } from "../ui/copy.js";
import { EmptyState } from "../ui/empty-state.js";

interface Props {
  /** What the area is called: "envelope". */
  readonly area: string;
  /** What the area shows. When it changes, the area is rendered again. */
  readonly about?: string;
  readonly children: ReactNode;
}

interface State {
  readonly error?: Error;
  readonly about?: string;
}

/** Keeps an error in one area from taking the page down. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps({ about }: Props, state: State): State | null {
    return about === state.about ? null : { about, error: undefined };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <EmptyState
        icon={TriangleAlert}
        title={`The ${this.props.area} hit an error`}
        action={
          <>
            <Button kind="primary" onClick={() => this.setState({ error: undefined })}>
              Try again
            </Button>
            <Button onClick={() => void copyText(error.stack ?? error.message, "The error")}>Copy the error</Button>
          </>
        }
      >
        <p>{error.message}</p>
        <p>
          {this.props.area === "page" ? "Reload it." : "The rest of the page still works."} If it happens again, please
          report the error.
        </p>
      </EmptyState>
    );
  }
}
