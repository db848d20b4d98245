// The command: `supple view` in a browser, and the report of `supple audit --html`, whose viewer the page shares.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { assets, close, openPage, picture, says, startBrowser, textOf } from './browser.js';

const command = process.env.SUPPLE_COMMAND;
let browser;
const children = [];
before(async () => {
  assert.ok(command && existsSync(command), 'SUPPLE_COMMAND must name the program supple, built after npm run embed');
  browser = await startBrowser();
});
after(async () => {
  // What a failed test has left running would keep this process.
  for (const child of children.filter(child => child.exitCode === null && child.signalCode === null)) child.kill();
  await browser?.close();
});

/** Starts `supple view` and returns its address. */
async function viewed(file) {
  const child = spawn(command, ['view', file, '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    child.stdout.once('data', data => resolve(String(data).split('\n')[0]));
    child.once('exit', code => reject(new Error(`supple view ended with ${code}`)));
  });
  children.push(child);
  const ended = new Promise(resolve => child.once('exit', (_, signal) => resolve(signal)));
  return { address, end: () => { child.kill('SIGINT'); return ended; } };
}

test('supple view shows a file and ends by Ctrl-C', async () => {
  const { address, end } = await viewed(join(assets('SUPPLE_ASSETS'), 'khronos/Fox.glb'));
  const page = await openPage(browser, address);
  assert.match(await textOf(page, 'about'), /576 triangles, 24 joints, 3 clips/);
  assert.equal(await page.locator('#zoo option:checked').textContent(), 'Fox.glb');
  await page.locator('#touch-compare').click();
  await says(page, 'touch-compared', /^They agree/);
  assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
  await close(page);
  assert.equal(await end(), 'SIGINT');
});

test('supple view shows an animal of the zoo', async () => {
  const { address, end } = await viewed('zoo:hand:1');
  const page = await openPage(browser, address);
  assert.match(await textOf(page, 'about'), /19,200 triangles/);
  await close(page);
  assert.equal(await end(), 'SIGINT');
});

test('the report is filtered and looked at without a server', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'supple-report-'));
  const file = join(folder, 'man.html');
  try {
    execFileSync(command, ['audit', 'zoo:man', '--fps', '10', '--html', file], { stdio: 'ignore' });
  } catch (error) {
    assert.equal(error.status, 1, 'faults are found');
  }
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 } });
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', error => errors.push(error.message));
  await page.goto(pathToFileURL(file).href);
  const cards = page.locator('.card:visible');
  const all = await cards.count();
  assert.ok(all > 0 && await page.locator('#tools').isVisible());
  await page.locator('#tools [name=find]').fill('no such bone');
  assert.equal(await cards.count(), 0);
  await page.locator('#tools [type=reset]').click();
  await page.waitForFunction(all => [...document.querySelectorAll('.card')].filter(card => card.offsetParent).length === all, all);
  const strip = page.locator('.card svg.strip').first();
  await strip.scrollIntoViewIfNeeded();
  await strip.hover();
  assert.match(await page.locator('#tip').innerText(), /frame \d+.* s/);
  await strip.click();
  assert.ok(await page.locator('#large').isVisible());
  await page.keyboard.press('Escape');
  await picture(page, 'report');
  assert.deepEqual(errors, []);
  await context.close();
  rmSync(folder, { recursive: true });
});
