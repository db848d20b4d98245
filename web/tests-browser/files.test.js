// Files of people: good ones, and bad ones with words.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { assets, close, drop, openPage, picture, says, servePage, settled, startBrowser, tab, textOf } from './browser.js';

let browser, site;
before(async () => { [browser, site] = await Promise.all([startBrowser(), servePage()]); });
after(async () => { await browser.close(); await site.close(); });

const GOOD = [
  ['khronos/CesiumMan.glb', /4,672 triangles, 19 joints, 1 clip/],
  ['khronos/Fox.glb', /576 triangles, 24 joints, 3 clips/],
  ['khronos/RiggedSimple-Draco.glb', /188 triangles, 2 joints, 1 clip/],
  ['khronos/AnimatedMorphCube-Quantized.glb', /12 triangles/],
  ['khronos/SimpleSkin.gltf', /8 triangles, 2 joints, 1 clip/],
  ['kaykit/Knight.glb', /clips/],
  ['vrm/100Avatars_013_Mint.vrm', /triangles/],
];

test('files play, and brute force agrees on them', async () => {
  const folder = assets('SUPPLE_ASSETS');
  const page = await openPage(browser, site.address);
  for (const [file, about] of GOOD) {
    const name = file.split('/').at(-1);
    const before = await textOf(page, 'about');
    await drop(page, name, readFileSync(join(folder, file)));
    await page.waitForFunction(name => document.getElementById('zoo').selectedOptions[0].text === name, name);
    await settled(page);
    assert.ok(await page.locator('#error').isHidden(), file);
    const now = await textOf(page, 'about');
    assert.match(now, about, file);
    assert.notEqual(now, before);
    await page.locator('#touch-compare').click();
    await says(page, 'touch-compared', /^They (agree|differ)/);
    assert.match(await textOf(page, 'touch-compared'), /^They agree/, file);
  }
  assert.ok(await page.locator('#share').isDisabled(), 'a link leads to the zoo only');
  await close(page);
});

test('every tab takes every file, or says why not', async t => {
  const folder = assets('SUPPLE_ASSETS');
  const page = await openPage(browser, site.address);
  for (const file of [...GOOD.map(([file]) => file), 'khronos/RecursiveSkeletons.glb', 'babylon/Yeti.glb']) {
    const name = file.split('/').at(-1);
    await drop(page, name, readFileSync(join(folder, file)));
    await page.waitForFunction(name => document.getElementById('zoo').selectedOptions[0].text === name, name);
    await settled(page);
    for (const view of ['pick', 'audit', 'two', 'skin', 'touch']) {
      await tab(page, view);
      await page.waitForTimeout(150);
      if (await page.locator('#error').isVisible()) {
        const said = await textOf(page, 'error-words');
        t.diagnostic(`${file}, ${view}: ${said}`);
        assert.match(said, /\w+ \w+ \w+/, `${file}, ${view}`);
        assert.doesNotMatch(said, /undefined|unreachable|\[object/, `${file}, ${view}`);
        await page.locator('#error-close').click();
      }
    }
  }
  await close(page);
});

test('a file is chosen with the button', async () => {
  const page = await openPage(browser, site.address);
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.locator('#open').click()]);
  await chooser.setFiles(join(assets('SUPPLE_ASSETS'), 'khronos/Fox.glb'));
  await says(page, 'about', /576 triangles/);
  await picture(page, 'fox');
  await close(page);
});

test('bad files are told in words, and what was there stays', async () => {
  const page = await openPage(browser, site.address);
  const fox = readFileSync(join(assets('SUPPLE_ASSETS'), 'khronos/Fox.glb'));
  const draco = readFileSync(join(assets('SUPPLE_MORE_ASSETS'), 'draco/CesiumMan.gltf'));
  const bad = [
    ['cut.glb', fox.subarray(0, 60_000), /cut\.glb/],
    ['empty.glb', Buffer.alloc(0), /empty/],
    ['noise.vrm', Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251)), /noise\.vrm/],
    ['photo.png', Buffer.from('\x89PNG\r\n\x1a\nabc', 'latin1'), /photo\.png/],
    ['outside.gltf', draco, /CesiumMan_data\.bin/],
    ['text.gltf', Buffer.from('{"asset":'), /text\.gltf/],
    ['old.supple', Buffer.from('not a shape'), /./],
  ];
  for (const [name, bytes, words] of bad) {
    await drop(page, name, bytes);
    await page.locator('#error').waitFor();
    const said = await textOf(page, 'error-words');
    assert.match(said, words, name);
    assert.doesNotMatch(said, /fault of supple|undefined|\[object/, name);
    assert.match(await textOf(page, 'about'), /8,796 triangles/);
    if (name === 'outside.gltf') await picture(page, 'error');
    await page.keyboard.press('Escape');
    assert.ok(await page.locator('#error').isHidden());
  }
  await drop(page, 'Fox.glb', fox);
  await says(page, 'about', /576 triangles/);
  await close(page);
});
