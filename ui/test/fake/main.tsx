// The interface over the fake host: `npm run ui:fake`. `?speed=` plays runs slower or faster, `?missing` has no model,
// `?nopython=REASON` cannot run code, `?pythongone` has had Python removed, `?imported` has a run of somebody else,
// `?unnamed` has no connections, `?fresh` has no history, `?thread` has a thread of three questions, `?tables=60` has so many tables, `?silent=ADDRESS,ADDRESS` has servers that answer nothing, `?sized=5,40` has runs of so many nodes, `?flows=2000` runs
// whose data flow has so many cards, `?theme=dark` begins dark, `?lang=de` in German.

import { boot } from "../../src/shell/boot";
import { fakeHost } from "./host";

const query = new URLSearchParams(location.search);
const numbers = (name: string) => (query.get(name) ?? "").split(",").filter(Boolean).map(Number);
const host = fakeHost({
  speed: Number(query.get("speed") ?? 0.6),
  modelMissing: query.has("missing"),
  noPython: query.get("nopython") ?? undefined,
  pythonGone: query.has("pythongone"),
  imported: query.has("imported"),
  unnamed: query.has("unnamed"),
  fresh: query.has("fresh"),
  thread: query.has("thread"),
  silent: (query.get("silent") ?? "").split(",").filter(Boolean),
  tables: Number(query.get("tables")) || undefined,
  sized: numbers("sized"),
  flows: numbers("flows"),
});
const lang = query.get("lang");
if (lang) await host.setPreference("language", lang);
const theme = query.get("theme");
if (theme) await host.setPreference("theme", theme);
if (query.has("collapsed")) await host.setPreference("sidebar", "collapsed");
await boot(host);
