import { describe, expect, it } from "vitest";
import { accountAddress, accountOf, isAccount, missingField, NO_ACCOUNT } from "./account";

describe("addresses of Snowflake", () => {
  it("are the same after the form as before", () => {
    for (const address of [
      "snowflake://ann@org-acc/SHOP",
      "snowflake://ann%40example.com@org-acc/SHOP/PUBLIC?warehouse=WH&role=READER",
      "snowflake://ann@org-acc/SHOP/my%20schema?authenticator=externalbrowser",
      "snowflake://ann@org-acc/SHOP/PUBLIC?warehouse=WH&private_key_file=/home/ann/key.p8",
      "snowflake://ann@org-acc/SHOP?authenticator=programmatic_access_token&endpoint=http://localhost:1",
    ]) {
      expect(accountAddress(accountOf(address))).toBe(address);
    }
  });

  it("lack what nobody can sign in without", () => {
    const whole = { ...NO_ACCOUNT, account: "org-acc", user: "ann", database: "SHOP" };
    expect(missingField(whole)).toBeNull();
    expect(missingField({ ...whole, database: " " })).toBe("Enter a database.");
    expect(missingField({ ...whole, signIn: "key" })).toBe("Enter the key file.");
    expect(accountOf("postgresql://db/shop")).toEqual(NO_ACCOUNT);
    expect([isAccount("Snowflake://a"), isAccount("snowflake.db")]).toEqual([true, false]);
    expect(accountOf("snowflake://ann:hidden@a/d").user).toBe("ann");
  });
});
