// The language of the window: by the desktop or by choice, seen at once, remembered, with numbers and dates in its manner.

import { i18n } from "@lingui/core";
import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";
import { inShort } from "../src/answer/HowComputed";
import { questionProblem } from "../src/features/ask/settings";
import { chooseCharts } from "../src/features/chart/choose";
import { asSvg } from "../src/features/chart/draw";
import { inkOf } from "../src/features/chart/ink";
import { drawingOf } from "../src/features/chart/spec";
import type { NamedColumns } from "../src/features/chart/words";
import type { ResultColumn } from "../src/host/bindings";
import {
  bytes,
  compact,
  count,
  dayName,
  decimalPercent,
  duration,
  listText,
  percent,
  significant,
} from "../src/kit/format";
import { localeOf, readLanguage, setFormats, setLanguage, systemLanguage, useLanguage } from "../src/kit/language";
import { showOf } from "../src/kit/show";
import { navigate } from "../src/navigation/route";
import { watchLanguage } from "../src/shell/reloadDescriptions";
import { start } from "./start";

afterEach(() => {
  useLanguage.setState(useLanguage.getInitialState());
  i18n.loadAndActivate({ locale: "en", locales: "en-US", messages: {} });
  document.documentElement.lang = "en";
});

describe("without a choice", () => {
  it("it is the first language of the desktop that there are texts for", () => {
    expect(systemLanguage(["fr-CA", "de"])).toBe("fr");
    expect(systemLanguage(["pt-BR", "de-AT", "en"])).toBe("de");
    for (const none of [["C"], ["POSIX"], ["pl"], [""], []]) expect(systemLanguage(none)).toBe("en");
  });
  it("numbers are written as the desktop's variant of the language writes them", () => {
    expect(localeOf("de", "language", ["en-US", "de-CH"])).toBe("de-CH");
    expect(localeOf("fr", "language", ["de-CH"])).toBe("fr-FR");
    expect(localeOf("en", "system", ["de-CH", "en-US"])).toBe("de-CH");
    for (const none of [["C"], ["en_US.UTF-8"], ["", "*"], []]) expect(localeOf("en", "system", none)).toBe("en-US");
  });
});

describe("the settings page", () => {
  const choose = async (name: string) => {
    await userEvent.click(await screen.findByRole("radio", { name }));
  };
  it("changes every text at once, keeps the choice and the focus, and finds the way back", async () => {
    const host = await start();
    act(() => navigate({ page: "settings", tab: "appearance" }));
    await choose("Deutsch");
    expect(await screen.findByRole("heading", { name: "Darstellung" })).toBeTruthy();
    const sidebar = within(screen.getByRole("complementary", { name: "Seitenleiste" }));
    expect(sidebar.getByRole("button", { name: /Neue Frage/ })).toBeTruthy();
    expect(document.documentElement.lang).toBe("de");
    expect(await host.preference("language")).toBe("de");
    // The program writes its texts in it.
    const told = () => host.calls.filter(([name]) => name === "setLanguage").map(([, [language]]) => language);
    expect(told().at(-1)).toBe("de");
    await choose("Français");
    expect(await screen.findByRole("heading", { name: "Apparence" })).toBeTruthy();
    await choose("English");
    expect(await screen.findByRole("heading", { name: "Appearance" })).toBeTruthy();
    expect(document.activeElement?.textContent).toBe("English");
  });
  it("has what the program says of its models, choices, rules and sample questions said again", async () => {
    const host = await start();
    const end = watchLanguage();
    const { models, modelPresets, sampleQuestions } = host;
    const inGerman = () => useLanguage.getState().language === "de";
    host.models = async () => (await models()).map((m) => (inGerman() ? { ...m, detail: "Auf diesem Computer" } : m));
    host.modelPresets = async () =>
      (await modelPresets()).map((preset) =>
        inGerman() ? { ...preset, label: `${preset.name}, auf Deutsch` } : preset,
      );
    host.sampleQuestions = async (uri) =>
      (await sampleQuestions(uri)).map((sample) =>
        inGerman() ? { ...sample, question: "Wie viele Filialen?" } : sample,
      );
    act(() => navigate({ page: "settings", tab: "models" }));
    await screen.findByRole("radio", { name: /^All on this computer/ });
    await act(() => setLanguage("de"));
    expect((await screen.findAllByText(/Auf diesem Computer/)).length).toBeGreaterThan(0);
    expect(await screen.findByRole("radio", { name: /^local, auf Deutsch/ })).toBeTruthy();
    expect(host.calls.filter(([name]) => name === "rules").length).toBe(2);
    act(() => navigate({ page: "ask" }));
    expect((await screen.findAllByText("Wie viele Filialen?")).length).toBeGreaterThan(0);
    end();
  });
  it("takes over what another window chose", async () => {
    const host = await start();
    await host.setPreference("language", "fr");
    await act(() => readLanguage());
    expect(await screen.findByRole("button", { name: /Nouvelle question/ })).toBeTruthy();
  });
});

describe("numbers and dates", () => {
  it("follow the language", async () => {
    await start();
    await act(() => setLanguage("de"));
    const now = new Date(2026, 10, 21, 10);
    expect([count(1204), percent(0.42), bytes(1_117_320_768), duration(4200)]).toEqual([
      "1.204",
      "42\u00a0%",
      "1,12 GB",
      "4,2 s",
    ]);
    expect(dayName(new Date(2026, 9, 3).toISOString(), now)).toBe("3. Oktober");
    expect(listText(["a", "b", "c"])).toBe("a, b und c");
    expect(showOf({ name: "amount", type: "decimal" })("184230.40")).toBe("184.230,40");
    expect([decimalPercent(0.25), significant(4567.8, 4), significant(1.2345e21, 4)]).toEqual([
      "25,0\u00a0%",
      "4.568",
      "1,235E21",
    ]);
    expect(questionProblem("a".repeat(1_234_567))).toContain("1,2 MB");
    await act(() => setLanguage("fr"));
    expect(bytes(491_000_000)).toBe("491 Mo");
  });
  it("are shortened as the language shortens them", async () => {
    await start();
    const short = () => [1234, 429_000, 1_500_000].map(compact);
    expect(short()).toEqual(["1.2k", "429k", "1.5M"]);
    await act(() => setLanguage("de"));
    expect(short()).toEqual(["1.234", "429.000", "1,5\u00a0Mio."]);
    await act(() => setLanguage("fr"));
    expect(short()).toEqual(["1,2\u00a0k", "429\u00a0k", "1,5\u00a0M"]);
    expect(inShort(4, 3, true, false)).toBe(
      "À partir de 4 tables\u00a0; vérifiée en 3 étapes\u00a0; corrigée une fois.",
    );
  });
  it("are so at the axis of a chart, in one unit", async () => {
    await start();
    const ticks = async (most: number, width = 400) => {
      const columns = [
        { name: "store", type: "text" as const },
        { name: "revenue", type: "integer" as const },
      ];
      const rows = [0, 1, 2, 3].map((i) => [`Store ${i}`, String((most * (4 - i)) / 4)]);
      const { charts } = chooseCharts(columns, rows, null)!.measures[0]!;
      const named: NamedColumns = { columns: columns as ResultColumn[], labels: ["Store", "Revenue"] };
      const { spec } = drawingOf(named, charts[0]!, rows, inkOf(false), { width, height: 200 });
      // The values at the bars are texts, too.
      const axes = (await asSvg(spec)).replace(/<g class="mark-text role-mark.*?<\/g>/gs, "");
      const texts = [...axes.matchAll(/<text([^>]*)>([\d.,]+[^<]*)<\/text>/g)];
      return texts.filter(([, how]) => !how!.includes('opacity="0"')).map(([, , text]) => text);
    };
    expect(await ticks(400_000)).toEqual(["0", "100k", "200k", "300k", "400k"]);
    expect(await ticks(2_000_000)).toContain("1.5M");
    // Where they would touch, some are left out.
    const [near, far] = [await ticks(131_700, 260), await ticks(131_700, 900)];
    expect(far).toEqual(["0", "20k", "40k", "60k", "80k", "100k", "120k", "140k"]);
    expect(near.length).toBeLessThan(far.length);
    await act(() => setLanguage("de"));
    expect(await ticks(400_000)).toContain("300.000");
    expect(await ticks(2_000_000)).toContain("1,5\u00a0Mio.");
  });
  it("and words for what was decided follow it on the pages, too", async () => {
    await start();
    await act(() => setLanguage("de"));
    act(() => navigate({ page: "evaluations", id: null, question: null }));
    await userEvent.click(await screen.findByRole("button", { name: /shop-questions.*Auto/ }));
    expect(await screen.findByText("2,5")).toBeTruthy();
    act(() => navigate({ page: "tables" }));
    await userEvent.click(await screen.findByRole("button", { name: /^orders/ }));
    await userEvent.click(await screen.findByRole("button", { name: /orders.*bestätigen/ }));
    expect(await screen.findByText("bestätigt")).toBeTruthy();
  });
  it("are the desktop's where that is chosen", async () => {
    const host = await start();
    await act(() => setLanguage("de"));
    await act(() => setFormats("system"));
    expect(count(1204)).toBe("1,204");
    expect(await host.preference("formats")).toBe("system");
  });
});
