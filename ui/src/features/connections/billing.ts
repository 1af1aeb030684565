// Limits of what queries are billed for, as people write them: bytes or money.

import { engineNamed } from "../../domain/engines";
import type { Metering, ScanCap, ScanLimits, WarehouseKind } from "../../host/bindings";

/** How the bytes of queries are measured: billed by the database, reported after reading, or not at all. */
export function meteringOf(kind: WarehouseKind): Metering {
  return engineNamed(kind)?.metering ?? "untold";
}

/** Limits as they hold: what the user set, else what the kind of database has. */
export function effectiveLimits(limits: ScanLimits, kind: WarehouseKind): ScanLimits & { question: ScanCap } {
  const usual = engineNamed(kind)?.limits;
  return {
    price: limits.price ?? usual?.price ?? null,
    question: limits.question ?? usual?.question ?? { bytes: null, money: null },
    month: limits.month,
  };
}

const UNITS: Record<string, number> = {
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/** Millionths of a US dollar; null if the text is not an amount. */
export function dollarsOf(text: string): number | null {
  const found = /^\s*\$?\s*(\d+(?:\.\d*)?|\.\d+)\s*$/.exec(text);
  return found?.[1] ? Math.round(Number.parseFloat(found[1]) * 1e6) : null;
}

/** `50 GB`, `$2`, both, or nothing; null if the text is not a limit. */
export function capOf(text: string): ScanCap | null {
  const cap: ScanCap = { bytes: null, money: null };
  for (const part of text.split(/\bor\b/).filter((part) => part.trim() !== "")) {
    const size = /^\s*(\d+(?:\.\d*)?|\.\d+)\s*([a-z]+)\s*$/i.exec(part);
    const unit = UNITS[size?.[2]?.toLowerCase() ?? ""];
    if (size?.[1] && unit) cap.bytes = Math.floor(Number.parseFloat(size[1]) * unit);
    else if (part.includes("$")) {
      const money = dollarsOf(part);
      if (money === null) return null;
      cap.money = money;
    } else return null;
  }
  return cap;
}

/** The same the other way round. */
export function capText({ bytes, money }: ScanCap): string {
  const parts = [bytes === null ? "" : sizeText(bytes), money === null ? "" : moneyText(money)];
  return parts.filter((part) => part !== "").join(" or ");
}

export function moneyText(micro: number): string {
  return `$${micro / 1e6}`;
}

function sizeText(bytes: number): string {
  const [unit, size] =
    (["tb", "gb"] as const)
      .map((name) => [name.toUpperCase(), UNITS[name] ?? 1] as const)
      .find(([, s]) => bytes >= s) ?? (["MB", 1e6] as const);
  return `${bytes / size} ${unit}`;
}
