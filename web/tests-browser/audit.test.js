// Audits in a worker: progress, cancel, jump, filter, accept, export.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { close, openPage, picture, says, servePage, startBrowser, tab, textOf } from './browser.js';

let browser, site;
before(async () => { [browser, site] = await Promise.all([startBrowser(), servePage()]); });
after(async () => { await browser.close(); await site.close(); });

async function audited(address, fps) {
  const page = await openPage(browser, address);
  await tab(page, 'audit');
  await page.locator('#audit-form [name=fps]').selectOption(fps);
  await page.locator('#audit-run').click();
  return page;
}

async function downloaded(page, id) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator(`#${id}`).click()]);
  return { name: download.suggestedFilename(), json: JSON.parse(readFileSync(await download.path(), 'utf8')) };
}

test('events are listed, filtered, jumped to, accepted and exported', async () => {
  const page = await audited(`${site.address}#zoo=man`, '10');
  await says(page, 'audit-state', /\d+ faults? and \d+ other events? in [\d,]+ frames/);
  const shown = () => page.locator('#audit-events li:visible');
  const all = await shown().count();
  assert.ok(all > 2, `${all} events`);
  assert.ok(await page.locator('#audit-strips svg.strip').count() > 0);
  await picture(page, 'audit');

  // Jump: the frame of the event is shown, and nothing plays.
  const { json, name } = await downloaded(page, 'audit-export');
  assert.equal(name, 'man-audit.json');
  const worst = json.audit.events[0].worst;
  await page.locator('#audit-events .go').first().click();
  const clip = json.audit.clips[worst.clip].name;
  assert.equal(await page.locator('#clip option:checked').textContent(), clip);
  assert.match(await textOf(page, 'clock'), new RegExp(`^${(worst.frame / 10).toFixed(2)} /`));
  assert.equal(await textOf(page, 'play'), 'Play');
  await page.waitForTimeout(300);
  await picture(page, 'audit-jump');

  // Filter by bones and by depth.
  const bone = json.audit.events[0].sides[0].bones[0];
  await page.locator('#audit-tools [name=find]').fill(bone);
  const expected = json.audit.events.filter(event => JSON.stringify([event.name, event.sides]).toLowerCase().includes(bone.toLowerCase())).length;
  assert.equal(await shown().count(), expected);
  await page.locator('#audit-tools [name=find]').fill('no such bone');
  assert.equal(await shown().count(), 0);
  await page.locator('#audit-tools [type=reset]').click();
  await page.waitForFunction(all => document.querySelectorAll('#audit-events li:not([hidden])').length === all, all);

  // A strip jumps, too.
  const strip = page.locator('#audit-strips svg.strip').first();
  const box = await strip.boundingBox();
  await strip.hover({ position: { x: box.width - 3, y: 8 } });
  assert.match(await page.locator('#tip').innerText(), /frame \d+/);
  await strip.click({ position: { x: 1, y: 8 } });
  assert.match(await textOf(page, 'clock'), /^0\.00 /);

  // Accepted events go, and are in the list for the command.
  await page.locator('#audit-events li').first().getByRole('checkbox').check();
  assert.equal(await shown().count(), all - 1);
  const accepted = await downloaded(page, 'audit-accepted');
  assert.equal(accepted.json.schema, 1);
  assert.equal(accepted.json.accepted[0].event, json.audit.events[0].id);
  await page.locator('#audit-tools [name=accepted]').check();
  assert.equal(await shown().count(), all);
  await close(page);
});

test('an audit is cancelled, the page goes on meanwhile', async () => {
  const page = await audited(`${site.address}#zoo=human`, '60');
  await says(page, 'audit-state', /\d+ of [\d,]+ frames/);
  assert.ok(await page.locator('#audit-progress').isVisible());
  const clock = await textOf(page, 'clock');
  await page.waitForFunction(clock => document.getElementById('clock').textContent !== clock, clock);
  await page.locator('#audit-run').click();
  await says(page, 'audit-state', /Cancelled/);
  assert.ok(await page.locator('#audit-progress').isHidden());
  await page.locator('#audit-run').click();
  await says(page, 'audit-state', /\d+ of [\d,]+ frames/);
  await page.keyboard.press('Escape');
  await says(page, 'audit-state', /Cancelled/);
  await close(page);
});

test('another character takes the audit away', async () => {
  const page = await audited(`${site.address}#zoo=hand`, '10');
  await says(page, 'audit-state', /in [\d,]+ frames/);
  await page.locator('#zoo').selectOption({ label: 'dwarf' });
  await says(page, 'about', /1,700 triangles/);
  await says(page, 'audit-state', /about [\d,]+ frames/);
  assert.ok(await page.locator('#audit-results').isHidden());
  await close(page);
});
