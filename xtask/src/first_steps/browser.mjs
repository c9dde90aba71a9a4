// A browser that is driven: Debian's Chromium, as root.

import { chromium } from "/mnt/driver/node_modules/playwright-core/index.mjs";

export const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
});

const context = await browser.newContext({ viewport: { width: 1360, height: 800 } });

export const page = await context.newPage();
page.setDefaultTimeout(60_000);

/// Loads a page of a server that may have just been started. The browser is asked once it answers: what it shows where
/// nothing does is a page, too, which would interrupt the next one.
export async function load(address) {
  for (let left = 100; ; left--) {
    try {
      const answer = await fetch(address, { redirect: "manual" });
      await answer.body?.cancel();
      return await page.goto(address);
    } catch (error) {
      if (left === 0 || error.cause?.code !== "ECONNREFUSED") throw error;
      await page.waitForTimeout(100);
    }
  }
}

/// Does it, and ends the browser: where it fails, with a picture of what was to be seen.
export async function drive(work) {
  try {
    await work();
  } catch (error) {
    await page.screenshot({ path: "/mnt/notes/failed.png" });
    throw error;
  } finally {
    await browser.close();
  }
}
