// A character plays, its touching triangles glow, and brute force agrees.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close, isOrange, openPage, pixels, picture, says, servePage, settled, slide, startBrowser, textOf } from './browser.js';

let browser, site;
before(async () => { [browser, site] = await Promise.all([startBrowser(), servePage()]); });
after(async () => { await browser.close(); await site.close(); });

const seconds = async page => Number((await textOf(page, 'clock')).split(' ')[0]);

test('it plays, pauses, is scrubbed, and other clips are chosen', async () => {
  const page = await openPage(browser, site.address);
  assert.match(await textOf(page, 'about'), /8,796 triangles, 27 joints, \d+ clips/);
  const first = await seconds(page);
  await page.waitForFunction(first => Number(document.getElementById('clock').textContent.split(' ')[0]) !== first, first);
  await page.locator('#play').click();
  const held = await seconds(page);
  await page.waitForTimeout(400);
  assert.equal(await seconds(page), held);
  assert.equal(await textOf(page, 'play'), 'Play');
  await page.locator('#clip').selectOption({ label: 'twist' });
  await slide(page, 'scrub', 2);
  assert.equal(await textOf(page, 'clock'), '2.00 / 4.00 s');
  await close(page);
});

test('touching triangles glow, and brute force agrees', async () => {
  const page = await openPage(browser, `${site.address}#zoo=man&clip=random&t=0.75`);
  await says(page, 'touch-words', /\d+ pairs? of triangles touch/);
  assert.ok(await pixels(page, isOrange) > 50, 'orange is seen');
  await page.locator('#touch-compare').click();
  await says(page, 'touch-compared', /^They (agree|differ): .* took .* ms, supple .* ms\.$/);
  assert.match(await textOf(page, 'touch-compared'), /^They agree: brute force finds [\d,]+ pairs?, supple/);
  await picture(page, 'touch');
  const pairs = text => Number(text.match(/([\d,]+) pair/)[1].replace(',', ''));
  const without = pairs(await textOf(page, 'touch-words'));
  await page.locator('#touch-creases').check();
  await page.waitForFunction(without => Number(document.getElementById('touch-words').textContent.match(/([\d,]+) pair/)[1].replace(',', '')) > without, without);
  await page.locator('#touch-compare').click();
  await says(page, 'touch-compared', /^They (agree|differ)/);
  assert.match(await textOf(page, 'touch-compared'), /^They agree/);
  await close(page);
});

test('brute force can be cancelled', async () => {
  const page = await openPage(browser, `${site.address}#zoo=human&clip=walk&t=0.3`);
  // At once, for brute force may be done before another click arrives.
  const words = await page.locator('#touch-compare').evaluate(button => {
    button.click();
    const during = button.textContent;
    button.click();
    return during;
  });
  assert.equal(words, 'Cancel brute force');
  await says(page, 'touch-compared', /Cancelled/);
  assert.equal(await textOf(page, 'touch-compare'), 'Compare with brute force');
  await close(page);
});

test('every animal of the zoo plays', async () => {
  const page = await openPage(browser, site.address);
  const names = await page.locator('#zoo option').allTextContents();
  assert.ok(names.length >= 7, names.join());
  for (const [i, name] of names.entries()) {
    await page.locator('#zoo').selectOption(String(i));
    await settled(page);
    await page.waitForTimeout(300);
    assert.ok(await page.locator('#error').isHidden(), `${name}: ${await page.locator('#error').textContent()}`);
    assert.match(await textOf(page, 'touch-words'), /touch/, name);
  }
  await close(page);
});

test('a link leads back to its frame', async () => {
  const page = await openPage(browser, `${site.address}#zoo=creature&detail=0&view=pick&clip=twist&t=1.250`);
  assert.equal(await page.locator('#tab-pick').getAttribute('aria-selected'), 'true');
  assert.match(await textOf(page, 'clock'), /^1\.25 /);
  await page.locator('#share').click();
  await page.waitForFunction(() => location.hash.includes('t=1.250'));
  assert.match(await page.evaluate(() => location.hash), /zoo=creature&detail=0&view=pick&clip=twist/);
  await page.evaluate(() => { location.hash = '#zoo=hand&clip=wave&t=0.5'; });
  await says(page, 'about', /4,800 triangles/);
  await page.evaluate(() => { location.hash = '#zoo=nobody'; });
  await says(page, 'error-words', /there is no "nobody" in the zoo/);
  await close(page);
});
