import { describe, expect, it } from "vitest";
import { isWorkspace, lackingOfWorkspace, NO_WORKSPACE, workspaceAddress, workspaceOf } from "./workspace";

describe("a SQL warehouse of Databricks as parts of a form", () => {
  it("is written as it was read", () => {
    for (const address of [
      "databricks://dbc-1.cloud.databricks.com/abc123/main/shop",
      "databricks://dbc-1.cloud.databricks.com/abc123/main",
      "databricks://11-22@adb-1.azuredatabricks.net/abc123/my%20catalog/shop",
    ]) {
      expect(workspaceAddress(workspaceOf(address))).toBe(address);
    }
  });
  it("takes what Databricks shows", () => {
    const pasted = workspaceOf("databricks://token:hidden@h.example/sql/1.0/warehouses/abc123/main/shop");
    expect(pasted).toEqual({ host: "h.example", warehouse: "abc123", catalog: "main", schema: "shop", client: "" });
    const copied = {
      ...NO_WORKSPACE,
      host: "https://h.example/",
      warehouse: "/sql/1.0/warehouses/abc123",
      catalog: "main",
    };
    expect(workspaceAddress(copied)).toBe("databricks://h.example/abc123/main");
  });
  it("says what is missing", () => {
    expect(lackingOfWorkspace(NO_WORKSPACE)).toBe("Enter a host.");
    expect(lackingOfWorkspace({ ...NO_WORKSPACE, host: "h", warehouse: "/sql/1.0/warehouses/" })).toBe(
      "Enter a SQL warehouse.",
    );
    expect(lackingOfWorkspace({ ...NO_WORKSPACE, host: "h", warehouse: "a" })).toBe("Enter a catalog.");
    expect(lackingOfWorkspace({ ...NO_WORKSPACE, host: "h", warehouse: "a", catalog: "main" })).toBeNull();
    expect([isWorkspace("Databricks://h"), isWorkspace("databricks.db")]).toEqual([true, false]);
  });
});
