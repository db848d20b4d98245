// Builds one static page. The viewer of audits lives with the report of the command, so that its crate can be packaged alone.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = path => fileURLToPath(new URL(path, import.meta.url));

/** Writes the service worker with the names of all files of the page: they are kept when it is first opened. */
function offline() {
  return {
    name: 'offline',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const files = Object.keys(bundle).filter(name => !name.endsWith('.map')).sort();
      const version = createHash('sha256');
      for (const name of files) version.update(name).update(bundle[name].code ?? bundle[name].source);
      const source = readFileSync(here('src/offline/service-worker.js'), 'utf8')
        .replace('"FILES"', JSON.stringify(['./', ...files.filter(name => name !== 'index.html')]))
        .replace('VERSION', version.digest('hex').slice(0, 16));
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source });
    },
  };
}

export default defineConfig({
  base: './',
  resolve: {
    alias: {
      'audit-viewer.css': here('../../crates/supple-cli/src/audit/html/viewer.css'),
      'audit-viewer': here('../../crates/supple-cli/src/audit/html/viewer.js'),
    },
  },
  build: {
    target: 'es2022',
    // These have light-dark(); for older ones it would be rewritten so that the switch of colours does nothing.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
  optimizeDeps: { exclude: ['supple-collision'] },
  server: { fs: { allow: ['..', '../../crates/supple-cli/src/audit/html'] } },
  plugins: [offline()],
});
