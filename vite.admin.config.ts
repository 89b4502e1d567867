import { defineConfig } from 'vite'
import { compress } from './apps/web/compress-plugin.ts'
import { words } from './apps/web/words-plugin.ts'

/** The staff's app: a bundle of its own, so that members load nothing of it. */
export default defineConfig({
  base: '/admin/',
  plugins: [words(), compress()],
  appType: 'custom',
  publicDir: false,
  css: { modules: { generateScopedName: '[local]_[hash:base64:5]' } },
  build: {
    target: 'es2022',
    manifest: true,
    assetsDir: 'assets',
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    outDir: 'dist/admin',
    rolldownOptions: {
      input: ['apps/admin/browser.tsx', 'apps/web/theme.ts'],
      // The configuration of schemas runs before the first schema is made, so it shares no file with any.
      output: { codeSplitting: { groups: [{ name: 'no-eval', test: /base\/web\/no-eval\.ts$/ }] } },
      onLog(level, log, say) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') say(level, log)
      },
    },
  },
})
