// Does with a misspelt name what a user of VS Code does: the error is underlined, the menu of fixes changes the
// name, and the file is saved. And local memory has the colour of the settings.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { drive, load, page } from "./browser.mjs";

const COLOUR = "rgb(0, 160, 160)";

const port = await new Promise((resolve) => {
  const socket = createServer().listen(0, "127.0.0.1", () => {
    const { port } = socket.address();
    socket.close(() => resolve(port));
  });
});

const server = spawn("node", ["/mnt/code/out/server-main.js", "--accept-server-license-terms",
  "--without-connection-token", "--disable-telemetry", "--host", "127.0.0.1", "--port", String(port),
  "--server-data-dir", "/root/vscode"], { stdio: "inherit" });

const open = (name) => page.locator(".explorer-folders-view").getByText(name, { exact: true }).dblclick();

/// Waits until the file has this text.
async function saved(name, text) {
  for (let left = 300; !readFileSync(name, "utf8").includes(text); left--) {
    assert(left > 0, `${name} is not saved: ${readFileSync(name, "utf8")}`);
    await page.waitForTimeout(100);
  }
}

writeFileSync("local.cl", "kernel void k(local float *t) { t[0] = 1; }\n");

try {
  await drive(async () => {
    await load(`http://127.0.0.1:${port}/?folder=/root`);
    await page.getByRole("button", { name: "Yes, I trust the authors" }).click();
    await open("wrong.cl");
    await page.locator(".squiggly-error").first().waitFor();
    await page.locator(".view-line").getByText("get_globl_id").click();
    await page.keyboard.press("Control+.");
    await page.locator(".action-widget").getByText("Change to `get_global_id`").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".view-line").getByText("get_global_id").waitFor();
    await page.keyboard.press("Control+s");
    await saved("wrong.cl", "= get_global_id(0);");

    await open("local.cl");
    await page.waitForFunction((colour) => [...document.querySelectorAll(".view-line span")].some(
      (part) => part.childElementCount === 0 && part.textContent === "t" && getComputedStyle(part).color === colour,
    ), COLOUR);
  });
} finally {
  server.kill();
}
