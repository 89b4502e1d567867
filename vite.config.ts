import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { addresses } from './apps/web/addresses-plugin.ts'
import { compress } from './apps/web/compress-plugin.ts'
import { leanRouter } from './apps/web/lean-router-plugin.ts'
import { neededBy } from './apps/web/building/needed-by.ts'
import { words } from './apps/web/words-plugin.ts'

const entries = ['browser.tsx', 'screens/index.tsx', 'screens/thread.tsx'].map((file) =>
  fileURLToPath(new URL(`apps/web/${file}`, import.meta.url)),
)
const [browser, index, thread] = entries.map((file) => neededBy(file)) as [Set<string>, Set<string>, Set<string>]
const isNeeded = (id: string) =>
  browser.has(id) || (thread.has(id) && (index.has(id) || id.includes('/base/web/'))) || id.includes('vite/preload-helper')

// What the pages that one reads need lies in few files, so that a first visit waits for few; the rest is left to the bundler.
const groups = [
  { name: 'react', test: /rolldown\/runtime|node_modules\/(react|react-dom|scheduler|react-router|icu-minify)\// },
  { name: 'site', test: (id: string) => !entries.includes(id) && isNeeded(id) },
  // Small parts of a thread that others need too: each in a file of its own would be one more to fetch.
  { name: 'shared', test: /\/(apps\/web\/person-card|comment\/web\/desk|message\/web\/message|user\/web\/written-counts)\.tsx$/ },
]

export default defineConfig(({ isSsrBuild, mode }) => ({
  plugins: [words(), addresses(), leanRouter(), compress()],
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
      ...(!isSsrBuild && {
        input: ['apps/web/browser.tsx', 'apps/web/theme.ts', 'apps/web/as-phone.ts'],
        output: { codeSplitting: { groups } },
      }),
      onLog(level, log, say) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') say(level, log)
      },
    },
  },
}))
