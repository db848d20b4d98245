// What a frame takes in the software renderer, and supple's share of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPage, close, servePage, startBrowser, textOf } from './browser.js';

let browser, site;
before(async () => { [browser, site] = await Promise.all([startBrowser(), servePage()]); });
after(async () => { await browser.close(); await site.close(); });

for (const name of ['man', 'creature', 'human']) {
  test(`time of a frame: ${name}`, async t => {
    const page = await openPage(browser, `${site.address}#zoo=${name}`);
    await page.waitForTimeout(8000);
    const time = async id => parseFloat((await page.locator(`#time-${id}`).textContent()).replace(',', ''));
    const [frame, supple, vertices] = [await time('frame'), await time('supple'), await time('vertices')];
    t.diagnostic(`${name}, ${await textOf(page, 'about')}: frame ${frame} ms, supple ${supple} ms (${(100 * supple / frame).toFixed(1)} %), vertices to draw ${vertices} ms`);
    assert.ok(supple < frame && supple > 0 && supple < 16, `${supple} of ${frame} ms`);
    await close(page);
  });
}
