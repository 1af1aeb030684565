import { describe, expect, it } from "vitest";
import { isProject, NO_PROJECT, projectAddress, projectOf } from "./project";

describe("addresses of BigQuery", () => {
  it("are the same after the form as before", () => {
    for (const address of [
      "bigquery://my-project",
      "bigquery://my-project/sales",
      "bigquery://example.com:old/sales?billing_project=pays&location=EU",
      "bigquery://p/d?key_file=/home/ann/my%20key.json&maximum_bytes_billed=1000000",
      "bigquery://p/d?client_id=1-a.apps.googleusercontent.com&impersonate=reader@p.iam.gserviceaccount.com",
      "bigquery://p/d?client_file=/home/ann/client.json",
    ]) {
      expect(projectAddress(projectOf(address))).toBe(address);
    }
  });

  it("say what the fields say", () => {
    expect(projectAddress({ ...NO_PROJECT, project: " p ", dataset: "d", location: "EU", keyFile: "/k.json" })).toBe(
      "bigquery://p/d?key_file=/k.json&location=EU",
    );
    expect(projectOf("postgresql://db/shop")).toEqual(NO_PROJECT);
    expect([isProject("BigQuery://p"), isProject("bigquery.db")]).toEqual([true, false]);
  });
});
