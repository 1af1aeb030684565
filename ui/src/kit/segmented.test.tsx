import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { Segmented } from "./segmented";

function Filter() {
  const [value, setValue] = useState<"all" | "won" | "lost">("all");
  return (
    <Segmented
      label="Filter"
      value={value}
      choices={[
        { value: "all", label: "All" },
        { value: "won", label: "Won", off: "Nothing is compared" },
        { value: "lost", label: "Lost" },
      ]}
      onChange={setValue}
    />
  );
}

const checked = () => screen.getByRole("radio", { checked: true }).textContent;
const radio = (name: string) => screen.getByRole("radio", { name });

it("is one tab stop, and arrow keys choose", async () => {
  render(<Filter />);
  await userEvent.tab();
  expect(document.activeElement).toBe(radio("All"));
  await userEvent.keyboard("{ArrowLeft}");
  expect(checked()).toBe("Lost");
  expect(document.activeElement).toBe(radio("Lost"));
  await userEvent.keyboard("{ArrowRight}");
  expect(checked()).toBe("All");
  await userEvent.tab();
  expect(document.activeElement).toBe(document.body);
});

it("goes to the first and the last choice with Home and End", async () => {
  render(<Filter />);
  await userEvent.tab();
  await userEvent.keyboard("{End}");
  expect(checked()).toBe("Lost");
  await userEvent.keyboard("{Home}");
  expect(checked()).toBe("All");
});

it("skips a disabled choice and says why it is disabled", async () => {
  render(<Filter />);
  await userEvent.click(radio("Won"));
  expect(checked()).toBe("All");
  expect(radio("Won").getAttribute("aria-disabled")).toBe("true");
  expect(radio("Won").title).toBe("Nothing is compared");
});
