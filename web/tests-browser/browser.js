// A browser, the built page behind a server of files, and what tests do again and again.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = path => fileURLToPath(new URL(path, import.meta.url));
const DIST = here('../page/dist');
const PICTURES = here('screenshots');
const KINDS = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml' };
const FLAGS = [
  '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
];

/** The folder of an environment variable: tests of real files fail without it. */
export function assets(variable) {
  const folder = process.env[variable];
  assert.ok(folder && existsSync(folder), `${variable} must name the folder of models for the tests`);
  return folder;
}

/** Serves the built page. */
export async function servePage() {
  assert.ok(existsSync(join(DIST, 'index.html')), 'the page is not built: run npm run build in web/page');
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://localhost').pathname);
    const file = join(DIST, path === '/' ? 'index.html' : path);
    if (!file.startsWith(DIST) || !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': KINDS[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    close: () => new Promise(resolve => {
      server.closeAllConnections();
      server.close(resolve);
    }),
  };
}

export function startBrowser() {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  assert.ok(existsSync(executablePath), `there is no ${executablePath}; install chromium, or name one in CHROMIUM`);
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}

/** A page whose errors fail the test. */
export async function openPage(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 760 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const errors = [];
  page.on('pageerror', error => errors.push(error.message));
  page.on('console', message => { if (message.type() === 'error') errors.push(message.text()); });
  page.errors = errors;
  await page.goto(address);
  await settled(page);
  return page;
}

/** Nothing is being loaded, and a character is there. */
export async function settled(page) {
  await page.waitForFunction(() => document.getElementById('busy').hidden && document.getElementById('about').textContent !== '');
}

export async function close(page) {
  assert.deepEqual(page.errors, []);
  await page.context().close();
}

export const textOf = (page, id) => page.locator(`#${id}`).innerText();

/** Waits until an element says it. */
export function says(page, id, pattern) {
  return page.waitForFunction(([id, source]) => new RegExp(source).test(document.getElementById(id).textContent), [id, pattern.source]);
}

export const tab = (page, name) => page.locator(`#tab-${name}`).click();

/** Drops a file on the page as a person does. */
export async function drop(page, name, bytes) {
  const data = await page.evaluateHandle(([name, text]) => {
    const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], name));
    return transfer;
  }, [name, Buffer.from(bytes).toString('base64')]);
  await page.dispatchEvent('body', 'dragover', { dataTransfer: data });
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

/** The middle of the picture, in pixels of the page. */
export async function middle(page) {
  const box = await page.locator('#canvas').boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, box };
}

/** How many pixels of the picture have a colour: counted in what is on the screen. */
export async function pixels(page, isColour) {
  const png = await page.locator('#canvas').screenshot();
  return page.evaluate(async ([text, source]) => {
    const is = new Function(`return ${source}`)();
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (is(data[i], data[i + 1], data[i + 2])) count += 1;
    return count;
  }, [png.toString('base64'), isColour.toString()]);
}

/** Colours of triangles that touch. */
export const isOrange = (r, g, b) => r > 200 && g > 70 && g < 160 && b < 60;
export const isBlue = (r, g, b) => r < 90 && g > 80 && g < 160 && b > 220;

/** Keeps what the test saw, for people to look at. */
export async function picture(page, name) {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

/** Sets a slider as a person does who has let it go. */
export async function slide(page, id, value) {
  await page.locator(`#${id}`).evaluate((slider, value) => {
    slider.value = String(value);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    slider.dispatchEvent(new Event('change', { bubbles: true }));
  }, value);
}
