// `node licences.mjs FILE`: the licences of the packages that the page's bundle holds, which ask to be shipped
// with it.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const parts = Object.entries(packages)
  // The project itself, and tools, which have no part in the bundle.
  .filter(([path]) => path && !/node_modules\/(?:@?esbuild|playwright-core)/.test(path))
  .map(([path, { version }]) => {
    const file = existsSync(path) && readdirSync(path).find((name) => /^licen[cs]e/i.test(name));
    if (!file) throw new Error(`${path} has no licence`);
    const text = readFileSync(join(path, file), "utf8").trim();
    return `${path.replace("node_modules/", "")} ${version}\n\n${text}\n`;
  });
writeFileSync(process.argv[2], parts.join("\n----\n\n"));
