// `node sizes.mjs FOLDER FILE...`: what a browser loads, as it is and as servers compress it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const [folder, ...files] = process.argv.slice(2);
const rows = files.filter((file) => file !== "licences.txt").map((file) => {
  const bytes = readFileSync(join(folder, file));
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  return [file, bytes.length, gzipSync(bytes, { level: 9 }).length, brotli.length];
});
rows.push(["all", ...[1, 2, 3].map((column) => rows.reduce((sum, row) => sum + row[column], 0))]);
const line = (cells) => console.log(`| ${cells.join(" | ")} |`);
line(["file", "bytes", "gzip", "brotli"]);
line(["---", "--:", "--:", "--:"]);
for (const [file, ...sizes] of rows) line([file, ...sizes.map((size) => size.toLocaleString("en"))]);
