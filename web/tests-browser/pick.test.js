// What is under the pointer, while it dances; and the boxes that were computed to know it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close, middle, openPage, picture, says, servePage, slide, startBrowser, tab, textOf } from './browser.js';

let browser, site;
before(async () => { [browser, site] = await Promise.all([startBrowser(), servePage()]); });
after(async () => { await browser.close(); await site.close(); });

test('bone, triangle, weights and distance are told while it plays', async () => {
  const page = await openPage(browser, site.address);
  await tab(page, 'pick');
  await says(page, 'pick-counts', /No ray, no work/);
  const { x, y } = await middle(page);
  await page.mouse.move(x, y);
  await says(page, 'pick-words', /bone.*triangle.*distance/);
  const words = await textOf(page, 'pick-words');
  assert.match(words, /%/);
  assert.ok(await page.locator('#pick-tip').isVisible());
  await says(page, 'pick-counts', /^[1-9]\d* of the .* (was|were) computed for this ray/);
  const [, lit, all] = (await textOf(page, 'pick-counts')).match(/^([\d,]+) of the ([\d,]+) boxes/).map(text => Number(text.replace(',', '')));
  assert.ok(lit < all / 2, `a ray needs few boxes: ${lit} of ${all}`);
  await picture(page, 'pick');
  await page.mouse.move(x - 300, y + 100);
  await says(page, 'pick-words', /Nothing is under the pointer/);
  await page.mouse.move(x, y);
  await says(page, 'pick-words', /bone/);
  await page.keyboard.press('Escape');
  await says(page, 'pick-words', /Point at the character/);
  await page.locator('#pick-middle').click();
  await says(page, 'pick-words', /bone/);
  await close(page);
});

test('the root is one box, and deeper levels have more', async () => {
  const page = await openPage(browser, `${site.address}#zoo=man&view=pick&clip=walk&t=0.3`);
  await slide(page, 'pick-level', 0);
  await says(page, 'pick-counts', /the one box of level 0/);
  await slide(page, 'pick-level', 5);
  await says(page, 'pick-counts', /the (\d\d|\d,)\d* boxes of level 5/);
  await close(page);
});
