// Twenty characters come and go: memory does not grow with them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { assets, close, drop, openPage, servePage, settled, startBrowser } from './browser.js';

let browser, site;
before(async () => { [browser, site] = await Promise.all([startBrowser(), servePage()]); });
after(async () => { await browser.close(); await site.close(); });

const MEGABYTE = 1_000_000;

/** What scripts have after a collection, typed arrays among it; and the memory of the WebAssembly, as the page tells it. */
async function memory(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize = 0 } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  await page.waitForTimeout(600);
  const supple = parseFloat(await page.locator('#memory').textContent());
  return { scripts: (usedSize + backingStorageSize) / MEGABYTE, supple };
}

test('memory after loading and dropping twenty characters', async t => {
  const page = await openPage(browser, site.address);
  const folder = assets('SUPPLE_ASSETS');
  const files = ['khronos/CesiumMan.glb', 'khronos/Fox.glb', 'kaykit/Knight.glb', 'vrm/100Avatars_013_Mint.vrm'];
  const round = async () => {
    for (const [i, file] of files.entries()) {
      await drop(page, `${i}.${file.split('.').at(-1)}`, readFileSync(join(folder, file)));
      await page.waitForFunction(i => document.getElementById('zoo').selectedOptions[0].text.startsWith(`${i}.`), i);
      await settled(page);
      await page.waitForTimeout(200);
    }
  };
  // The largest two that are there at the same time, while one replaces the other, decide how much the WebAssembly takes.
  await round();
  await round();
  const first = await memory(page);
  for (let i = 0; i < 5; i++) await round();
  const last = await memory(page);
  const words = ({ scripts, supple }) => `scripts ${scripts.toFixed(1)} MB, WebAssembly ${supple.toFixed(1)} MB`;
  t.diagnostic(`after 8 characters: ${words(first)}; after 20 more: ${words(last)}`);
  assert.ok(last.scripts - first.scripts < 8, 'scripts keep what is gone');
  assert.ok(last.supple - first.supple < 2, 'the WebAssembly keeps what is gone');
  await close(page);
});
