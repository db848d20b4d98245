// Two characters, and two ways to blend joints.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close, isBlue, isOrange, middle, openPage, picture, pixels, says, servePage, settled, slide, startBrowser, tab, textOf } from './browser.js';

let browser, site;
before(async () => { [browser, site] = await Promise.all([startBrowser(), servePage()]); });
after(async () => { await browser.close(); await site.close(); });

test('one is dragged into the other, and brute force agrees', async () => {
  const page = await openPage(browser, `${site.address}#zoo=man&view=two&clip=walk&t=0.2`);
  await page.locator('#two-apart').click();
  await says(page, 'two-words', /They are apart/);
  // The second one stands right of the first: on its belly, and to the left until both touch.
  const { x, y, box } = await middle(page);
  const start = await page.evaluate(() => document.getElementById('two-x').value);
  let grabbed = null;
  for (let step = 0.05; step < 0.45 && grabbed === null; step += 0.02) {
    await page.mouse.move(x + step * box.width, y);
    await page.mouse.down();
    await page.mouse.move(x + step * box.width - 20, y, { steps: 3 });
    if (await page.evaluate(() => document.getElementById('two-x').value) !== start) grabbed = x + step * box.width;
    else await page.mouse.up();
  }
  assert.ok(grabbed !== null, 'the second one can be grabbed');
  let to = grabbed - 40;
  for (; to > box.x + 40 && !/touch/.test(await textOf(page, 'two-words')); to -= 20) {
    await page.mouse.move(to, y, { steps: 2 });
    await page.waitForTimeout(300);
  }
  // Deeper, so that it is seen well.
  await page.mouse.move(to - 30, y, { steps: 2 });
  await page.waitForTimeout(600);
  await page.mouse.up();
  await says(page, 'two-words', /pairs? of triangles touch/);
  assert.ok(await pixels(page, isOrange) > 5 && await pixels(page, isBlue) > 5, 'both sides glow');
  await page.locator('#two-compare').click();
  await says(page, 'two-compared', /^They (agree|differ)/);
  assert.match(await textOf(page, 'two-compared'), /^They agree/);
  await picture(page, 'two');
  await page.locator('#two-other').selectOption({ label: 'dwarf' });
  await settled(page);
  await says(page, 'two-words', /touch|apart/);
  await close(page);
});

test('more detail hardly takes more time', async () => {
  const page = await openPage(browser, `${site.address}#zoo=man&view=two`);
  await page.locator('#two-touch').click();
  const rows = () => page.locator('#two-times tr').allInnerTexts();
  await page.waitForFunction(() => /8,796|17,592/.test(document.getElementById('two-times').textContent));
  await slide(page, 'two-detail', 1);
  await page.waitForFunction(() => /70,368/.test(document.getElementById('two-times').textContent));
  const times = (await rows()).map(row => row.split('\t').slice(2).map(cell => parseFloat(cell.replace(',', ''))));
  assert.equal(times.length, 2);
  const [ask, vertices] = [0, 1].map(column => times[1][column] / times[0][column]);
  assert.ok(ask < vertices, `the question took ${ask} times as long, all vertices ${vertices} times`);
  await picture(page, 'detail');
  await close(page);
});

test('linear and dual quaternions stand side by side in the candy-wrapper pose', async () => {
  const page = await openPage(browser, `${site.address}#zoo=man&view=skin`);
  await page.locator('#skin-wrapper').click();
  assert.equal(await textOf(page, 'clock'), '2.00 / 4.00 s');
  await says(page, 'skin-words', /Left, linear: .* Right, dual quaternions/);
  await page.waitForTimeout(500);
  await picture(page, 'skin');
  await page.locator('#skin-right').selectOption('spherical');
  await says(page, 'skin-words', /Right, spherical/);
  await page.locator('#zoo').selectOption({ label: 'dolphin' });
  await says(page, 'about', /564 triangles/);
  assert.ok(await page.locator('#skin-wrapper').isDisabled());
  await tab(page, 'touch');
  await page.waitForTimeout(300);
  await close(page);
});
