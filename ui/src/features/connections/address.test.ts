import { describe, expect, it } from "vitest";
import { addressOf, NO_PARTS, partsOf } from "./address";

describe("an address as parts of a form", () => {
  it("is written as it was read", () => {
    for (const address of [
      "postgresql://ann@db.example:6000/shop",
      "postgresql://db.example/shop",
      "postgresql://ann@db.example/shop?sslmode=verify-full",
      "postgresql://ann@db.example/shop?sslmode=require&application_name=x%20y",
      "postgresql://a%40b@[::1]:5432/my%20shop",
      "mysql://ann@db.example:3307/shop",
      "mysql://ann@db.example/shop?ssl-mode=VERIFY_IDENTITY",
      "postgresql://ann@localhost/shop?sslmode=require&ssh=bob@bastion.example:2222&application_name=x",
      "mysql://ann@10.0.0.5:3307/shop?ssh=office",
      "mysql://ann@10.0.0.5:3307/shop?ssh=office&ssh_key=/home/ann/.ssh/my%20key",
      "clickhouse://ann@db.example/shop",
      "clickhouse://ann@db.example:8123/shop",
      "clickhouse://ann@db.example:9999/shop?sslmode=disable",
      "clickhouse://ann@localhost:8123/shop",
      "clickhouse://localhost:8443/shop?sslmode=require",
      "postgresql://ann@localhost/shop?ssh=bob@[::1]:22",
    ]) {
      const parts = partsOf(address);
      expect(parts && addressOf(parts), address).toBe(address);
    }
    expect(partsOf("postgres://ann@db/shop?sslmode=prefer")).toEqual({
      ...NO_PARTS,
      host: "db",
      database: "shop",
      user: "ann",
    });
  });
  it("names a key of SSH only where it goes that way", () => {
    const parts = { ...NO_PARTS, host: "db", sshKey: "/keys/a" };
    expect(addressOf(parts)).toBe("postgresql://db/");
    expect(addressOf({ ...parts, ssh: "office" })).toBe("postgresql://db/?ssh=office&ssh_key=/keys/a");
  });
  it("says which machine it goes through", () => {
    expect(partsOf("postgresql://ann@db/shop?ssh=bob%40bastion&sslmode=require")).toMatchObject({
      ssh: "bob@bastion",
      protection: "require",
      options: "",
    });
  });
  it("is left as it is where the form would say something else", () => {
    for (const address of [
      "postgresql://ann@a,b:2/shop",
      "postgresql://ann@db/shop?host=evil.example",
      "postgresql://ann@db/shop?hostaddr=6.6.6.6",
      "postgresql://db/shop?user=ann",
      "mysql://ann@db/shop?ssl-mode=SOMETHING",
      "clickhouse://ann@db/shop?secure=true",
      "clickhouse://ann@db/shop?sslmode=prefer",
      "mysql://ann@db/shop?socket=/run/mysqld.sock",
      "postgresql://db/shop?sslmode=verify-ca",
      "postgresql://ann:secret@db/shop",
      "sqlite:/a.db",
    ]) {
      expect(partsOf(address), address).toBeNull();
    }
  });
});
