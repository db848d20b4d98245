// Phone, dark and light, keyboard, offline.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close, openPage, picture, says, servePage, settled, startBrowser, tab, textOf } from './browser.js';

let browser, site;
before(async () => { [browser, site] = await Promise.all([startBrowser(), servePage()]); });
after(async () => { await browser?.close(); await site?.close(); });

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

test('on a phone nothing is wider than the screen, and fingers pick', async () => {
  const page = await openPage(browser, `${site.address}#zoo=man&clip=walk&t=0.2`, PHONE);
  for (const name of ['touch', 'audit', 'two', 'skin', 'pick']) {
    await tab(page, name);
    await page.waitForTimeout(300);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${name}: ${width} pixels`);
    await picture(page, `phone-${name}`);
  }
  const small = await page.evaluate(() => [...document.querySelectorAll('button, select')]
    .filter(control => control.offsetParent && control.getBoundingClientRect().height < 28).map(control => control.id || control.textContent));
  assert.deepEqual(small, [], 'controls that a finger misses');
  await page.evaluate(() => scrollTo(0, 0));
  const box = await page.locator('#canvas').boundingBox();
  await page.touchscreen.tap(box.x + box.width / 2, box.y + 0.4 * box.height);
  await says(page, 'pick-words', /bone/);
  await picture(page, 'phone-picked');
  await close(page);
});

/** Contrast of the text of all elements that have some, against what is behind them. */
const worstContrast = page => page.evaluate(() => {
  const numbers = text => text.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = element => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (/^rgb\(/.test(colour)) return numbers(colour);
    }
    return [255, 255, 255];
  };
  let worst = [Infinity, ''];
  for (const element of document.querySelectorAll('body *')) {
    const hasText = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    if (!hasText || !element.offsetParent || element.closest(':disabled, option, canvas')) continue;
    const [a, b] = [light(numbers(getComputedStyle(element).color)), light(behind(element))].sort((a, b) => b - a);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < worst[0]) worst = [ratio, element.outerHTML.slice(0, 120)];
  }
  return worst;
});

test('dark and light can be read, by the system and by the switch', async () => {
  const seen = {};
  for (const colorScheme of ['dark', 'light']) {
    const page = await openPage(browser, `${site.address}#zoo=man&clip=random&t=0.75`, { colorScheme });
    seen[colorScheme] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    for (const name of ['pick', 'audit', 'two', 'skin', 'touch']) {
      await tab(page, name);
      const [ratio, where] = await worstContrast(page);
      assert.ok(ratio >= 4.5, `${colorScheme}, ${name}: ${ratio} in ${where}`);
    }
    await picture(page, colorScheme);
    const other = colorScheme === 'dark' ? 'light' : 'dark';
    await page.locator('#theme').selectOption(other);
    seen[`switched to ${other}`] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.reload();
    await settled(page);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), seen[`switched to ${other}`], 'it is remembered');
    await close(page);
  }
  assert.notEqual(seen.dark, seen.light);
  assert.equal(seen['switched to dark'], seen.dark);
  assert.equal(seen['switched to light'], seen.light);
});

test('everything is reached with the keyboard', async () => {
  const page = await openPage(browser, site.address);
  const reached = [];
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press('Tab');
    const id = await page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);
    if (reached.includes(id)) break;
    reached.push(id);
  }
  for (const id of ['theme', 'canvas', 'play', 'clip', 'scrub', 'speed', 'zoo', 'open', 'share', 'tab-touch', 'touch-creases', 'touch-compare']) {
    assert.ok(reached.includes(id), `${id} is not among ${reached}`);
  }
  assert.ok(reached.indexOf('canvas') < reached.indexOf('play') && reached.indexOf('zoo') < reached.indexOf('tab-touch'));
  const unnamed = await page.evaluate(() => [...document.querySelectorAll('button, select, input, canvas, progress')]
    .filter(control => !(control.labels?.length || control.textContent.trim() || control.getAttribute('aria-label') || control.hidden)).map(control => control.id || control.name));
  assert.deepEqual(unnamed, [], 'controls without a name');
  await page.locator('#tab-touch').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-pick');
  assert.ok(await page.locator('#panel-pick').isVisible() && await page.locator('#panel-touch').isHidden());
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.equal(outline, 'solid', 'the focus is seen');
  await page.keyboard.press('End');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-skin');
  await page.locator('#play').focus();
  await page.keyboard.press('Space');
  assert.equal(await textOf(page, 'play'), 'Play');
  await page.locator('#canvas').focus();
  await page.waitForTimeout(300);
  const before = await page.locator('#canvas').screenshot();
  await page.keyboard.press('ArrowRight');
  await page.waitForTimeout(500);
  assert.ok(!before.equals(await page.locator('#canvas').screenshot()), 'arrows turn the view');
  await close(page);
});

test('it works offline once it was opened, and asks nobody else', async () => {
  const own = await servePage();
  const page = await openPage(browser, own.address);
  const asked = [];
  page.on('request', request => asked.push(request.url()));
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await Promise.all((await caches.keys()).map(async name => (await (await caches.open(name)).keys()).length)))[0] > 4);
  await own.close();
  await page.reload();
  await settled(page);
  await page.locator('#zoo').selectOption({ label: 'hand' });
  await says(page, 'about', /4,800 triangles/);
  for (const address of asked) assert.ok(address.startsWith(own.address) || /^(blob|data):/.test(address), address);
  await close(page);
});
