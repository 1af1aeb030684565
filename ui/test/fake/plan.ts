// The plan of a made-up query, as PostgreSQL would tell it.

import type { PlanStep, QueryPlan } from "../../src/host/bindings";

const step = (label: string, part: Partial<PlanStep>): PlanStep => ({
  label,
  details: [],
  rows: null,
  cost: null,
  share: null,
  children: [],
  ...part,
});

export const PLAN: QueryPlan = {
  steps: [
    step("Limit", {
      rows: 10,
      cost: 21_874.1,
      share: 0,
      children: [
        step("Sort", {
          details: ["Sort Key: (sum(oi.unit_price * oi.quantity)) DESC"],
          rows: 1_204,
          cost: 21_874.08,
          share: 0.02,
          children: [
            step("HashAggregate", {
              details: ["Group Key: p.id"],
              rows: 1_204,
              cost: 21_441.7,
              share: 0.12,
              children: [
                step("Hash Join", {
                  details: ["Hash Cond: (oi.product_id = p.id)"],
                  rows: 48_211,
                  cost: 18_900.2,
                  share: 0.17,
                  children: [
                    step("Seq Scan on order_items oi", {
                      details: ["Filter: (status <> 'cancelled'::text)"],
                      rows: 48_211,
                      cost: 14_902.5,
                      share: 0.68,
                    }),
                    step("Hash", {
                      rows: 1_204,
                      cost: 30.1,
                      share: 0,
                      children: [step("Seq Scan on products p", { rows: 1_204, cost: 30.1, share: 0.01 })],
                    }),
                  ],
                }),
              ],
            }),
          ],
        }),
      ],
    }),
  ],
};
