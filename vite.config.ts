import { defineConfig } from 'vite'
import { words } from './apps/web/words-plugin.ts'

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [words()],
  appType: 'custom',
  publicDir: isSsrBuild ? false : 'apps/web/public',
  resolve: {
    // Words are compiled when the program is built, so the page carries no parser for them.
    alias: [{ find: /^use-intl\/format-message$/, replacement: 'use-intl/format-message/format-only' }],
  },
  ssr: { noExternal: true },
  css: { modules: { generateScopedName: '[local]_[hash:base64:5]' } },
  build: {
    target: 'es2022',
    manifest: true,
    assetsDir: 'assets',
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    outDir: isSsrBuild ? 'dist/web-server' : 'dist/web',
    rolldownOptions: {
      ...(!isSsrBuild && { input: ['apps/web/browser.tsx', 'apps/web/theme.ts'] }),
      onLog(level, log, say) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') say(level, log)
      },
    },
  },
}))
