// Copies the built page to where the command's build script finds it: crates/supple-cli/view.
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const built = fileURLToPath(new URL('../dist', import.meta.url));
const view = fileURLToPath(new URL('../../../crates/supple-cli/view', import.meta.url));
if (!existsSync(`${built}/index.html`)) throw new Error(`${built}/index.html is missing: run npm run build first`);
for (const name of readdirSync(view)) {
  if (name !== '.gitignore') rmSync(`${view}/${name}`, { recursive: true });
}
// The service worker is for the page on the web; the command serves from memory.
cpSync(built, view, { recursive: true, filter: path => !path.endsWith('service-worker.js') });
const page = readFileSync(`${view}/index.html`, 'utf8');
const marked = page.replace('<html lang="en">', '<html lang="en" data-served-by="supple view">');
if (marked === page) throw new Error('index.html does not begin as expected');
writeFileSync(`${view}/index.html`, marked);
console.log(`copied to ${view}`);
