import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { addresses } from './apps/web/addresses-plugin.ts'
import { compress } from './apps/web/compress-plugin.ts'
import { leanRouter } from './apps/web/lean-router-plugin.ts'
import { withoutMemoized } from './apps/web/memoized-plugin.ts'
import { neededBy } from './apps/web/building/needed-by.ts'
import { words } from './apps/web/words-plugin.ts'

const entries = ['browser.tsx', 'screens/index.tsx', 'screens/thread.tsx'].map((file) =>
  fileURLToPath(new URL(`apps/web/${file}`, import.meta.url)),
)
const [browser, index, thread] = entries.map((file) => neededBy(file)) as [Set<string>, Set<string>, Set<string>]
// Modules that load once the page stands lie in few files too: shared ones, those of the index, those of a thread, and
// those for members alone.
const idle = {
  list: neededBy('apps/web/list-actions.tsx'),
  reading: neededBy(
    'apps/web/thread-tools.tsx',
    'features/threads/comment/web/actions.tsx',
    'features/threads/comment/web/reading/reading.tsx',
    'features/threads/topic/web/topic-actions.tsx',
  ),
  member: neededBy(
    'apps/web/member-menu.tsx',
    'features/site/assistant/web/thread.tsx',
    'features/foundation/file/web/private-files.ts',
    'features/community/follow/web/level-menu.tsx',
    'features/community/message/web/send-out.ts',
  ),
}
const tools = neededBy(
  'apps/web/shortcuts.tsx',
  'base/rich-text/code-language.ts',
  'base/web/action.ts',
  'base/web/dialog.tsx',
  'base/editor/add-post-tools.ts',
  'base/web/focus-later.ts',
  'base/web/leader-tab.ts',
  'base/web/live.ts',
  'base/web/share.ts',
  'base/web/keyboard-navigation.ts',
  'features/accounts/account/web/sign-in.ts',
  'features/threads/comment/web/passage.ts',
  'features/threads/comment/web/remarks.ts',
)
const smallParts =
  /\/(apps\/web\/person-card|comment\/web\/thread-context|message\/web\/message|post\/web\/post|user\/web\/written-counts)\.tsx$|comment\/web\/floor-path\.ts$|question\/web\/question\.module\.css/
// A file of styles with a few rules costs more than the rules.
const smallStyles = /(base\/(web\/(menu|dialog)|editor\/add-post-tools)|apps\/web\/shortcuts|help\/web\/help)\.module\.css/
const isNeeded = (id: string) =>
  browser.has(id) ||
  (thread.has(id) && (index.has(id) || /\/base\/(web|editor)\//.test(id))) ||
  /vite\/preload-helper|base\/(collect-declarations|web\/focus-later)/.test(id)

// Modules of reading pages are bundled into few files, so that a first visit waits for few; the bundler decides about the rest.
const groups = [
  { name: 'react', test: /rolldown\/runtime|node_modules\/(react|react-dom|scheduler|react-router|icu-minify)\// },
  { name: 'site', test: (id: string) => !entries.includes(id) && (isNeeded(id) || smallStyles.test(id)) },
  // Small parts that a thread shares with other pages. Separate files would be more requests.
  { name: 'shared', test: smallParts },
  { name: 'lists', includeDependenciesRecursively: false, test: (id: string) => !entries.includes(id) && index.has(id) },
  ...Object.entries({ tools, ...idle }).map(([name, parts]) => ({
    name,
    includeDependenciesRecursively: false,
    test: (id: string) => parts.has(id) && !thread.has(id) && !index.has(id),
  })),
]

export default defineConfig(({ isSsrBuild, mode }) => ({
  plugins: [words(), addresses(), leanRouter(), withoutMemoized(), compress()],
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
