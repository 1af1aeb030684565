// Makes calls of the runtime of what is written as `t`, `plural` and `<Trans>`. Only files that use them pass through it.

import { transformAsync } from "@babel/core";
import macro from "@lingui/babel-plugin-lingui-macro";
import { makeConfig } from "@lingui/conf";
import type { Plugin } from "vite";
import config from "../lingui.config.ts";

const linguiConfig = makeConfig(config);

export function macros(): Plugin {
  return {
    name: "vitrine:macros",
    enforce: "pre",
    async transform(code, id) {
      const file = id.split("?")[0]!;
      if (!/\.tsx?$/.test(file) || !/"@lingui\/(core|react)\/macro"/.test(code)) return;
      const made = await transformAsync(code, {
        filename: file,
        babelrc: false,
        configFile: false,
        sourceMaps: true,
        parserOpts: { plugins: file.endsWith("x") ? ["typescript", "jsx"] : ["typescript"] },
        plugins: [[macro, { linguiConfig }]],
      });
      return made?.code ? { code: made.code, map: made.map } : undefined;
    },
  };
}
