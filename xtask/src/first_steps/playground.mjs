// Does in the playground what the page says: pastes the kernel, takes the module as a file, misspells a name, and
// applies the fix.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { drive, load, page } from "./browser.mjs";

const kernel = readFileSync("saxpy.cl", "utf8");

async function paste(text) {
  const before = await page.evaluate(() => document.body.dataset.answered);
  await page.locator("#source .cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
  await page.waitForFunction((number) => document.body.dataset.answered !== number, before);
}

await drive(async () => {
  await load(process.argv[2]);
  await page.waitForFunction(() => document.body.dataset.answered);
  await paste(kernel);
  await page.locator("#status").filter({ hasText: "bytes of SPIR-V" }).waitFor();
  assert.match(await page.locator("#panel-text").textContent(), /OpEntryPoint Kernel .*"saxpy"/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByText("Download the module").click()]);
  await download.saveAs(download.suggestedFilename());

  await paste(kernel.replace("get_global_id", "get_globl_id"));
  await page.locator("#source .cm-lintRange-error").first().waitFor();
  await page.getByRole("tab", { name: /Diagnostics/ }).click();
  await page.getByRole("button", { name: "Fix: did you mean get_global_id?" }).click();
  await page.locator("#problems").filter({ hasText: "No errors" }).waitFor();
  assert.equal(await page.evaluate(() => globalThis.playground.source.state.doc.toString()), kernel);
});
