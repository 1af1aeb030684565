import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Component, type ReactNode } from "react";
import { ErrorNote } from "../kit/error";

/** Keeps a fault of one page from emptying the window: says so, and leaves everything around it at work. */
export class PageBoundary extends Component<{ page: string; children: ReactNode }, { fault: Error | null }> {
  override state: { fault: Error | null } = { fault: null };

  static getDerivedStateFromError(fault: unknown) {
    return { fault: fault instanceof Error ? fault : new Error(String(fault)) };
  }

  override componentDidUpdate(before: { page: string }) {
    if (this.state.fault && before.page !== this.props.page) this.setState({ fault: null });
  }

  override render() {
    const { fault } = this.state;
    if (!fault) return this.props.children;
    const error = {
      code: "internal" as const,
      message: t`This page could not be shown.`,
      hint: t`Your runs and saved questions are safe. Try again, or go to another page.`,
      detail: `${fault.name}: ${fault.message}\n${fault.stack ?? ""}`,
    };
    return (
      <div className="overflow-auto p-6">
        <h1 className="sr-only">
          <Trans>This page could not be shown</Trans>
        </h1>
        <ErrorNote error={error} again={() => this.setState({ fault: null })} />
      </div>
    );
  }
}
