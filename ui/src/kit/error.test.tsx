import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { AppError, ErrorCode } from "../host/bindings";
import { ErrorNote } from "./error";

const error = (code: ErrorCode, detail: string | null): AppError => ({
  code,
  message: "The database could not run the query",
  hint: null,
  detail,
});

it("says what the database says first, and all of it on demand", () => {
  render(<ErrorNote error={error("query", "Table storez does not exist\nLINE 1: FROM storez")} />);
  expect(screen.getByText("Table storez does not exist")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Details" })).toBeTruthy();
});

it("has no details beyond what is read already", () => {
  render(<ErrorNote error={error("query", "Table storez does not exist")} />);
  expect(screen.queryByRole("button", { name: "Details" })).toBeNull();
});

it("leaves what only a programmer reads among the details", () => {
  render(<ErrorNote error={error("internal", "TypeError: x is undefined\n  at f")} />);
  expect(screen.queryByText("TypeError: x is undefined")).toBeNull();
});
