import { defineConfig } from 'vite'
import { compress } from './apps/web/compress-plugin.ts'
import { leanRouter } from './apps/web/lean-router-plugin.ts'
import { words } from './apps/web/words-plugin.ts'

// What every page needs lies in three files, so that a first visit waits for few; a screen adds its own.
const groups = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler|react-router|icu-minify)\// },
  {
    name: 'site',
    test: /\/(apps\/web\/(?!screens\/|theme|browser)|base\/(web\/(?!editor|versions|form|alert|field-errors)|(language|query-string|return-path)\.ts)|features\/(account\/web\/account|setting\/web\/setting|user\/web\/(user|letters)|tag\/web\/tag|topic\/web\/topic)\.(tsx?|module\.css)$)|vite\/preload-helper/,
  },
]

export default defineConfig(({ isSsrBuild, mode }) => ({
  plugins: [words(), leanRouter(), compress()],
  appType: 'custom',
  // The server's bundle holds React too, which is many times slower when it does not know that it is in production.
  ...(isSsrBuild && { define: { 'process.env.NODE_ENV': JSON.stringify(mode) } }),
  publicDir: isSsrBuild ? false : 'apps/web/public',
  // While one edits, the packages that are not modules stay outside.
  ...(isSsrBuild && { ssr: { noExternal: true } }),
  css: { modules: { generateScopedName: '[local]_[hash:base64:5]' } },
  build: {
    target: 'es2022',
    manifest: true,
    assetsDir: 'assets',
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    outDir: isSsrBuild ? 'dist/web-server' : 'dist/web',
    rolldownOptions: {
      ...(!isSsrBuild && { input: ['apps/web/browser.tsx', 'apps/web/theme.ts'], output: { codeSplitting: { groups } } }),
      onLog(level, log, say) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') say(level, log)
      },
    },
  },
}))
