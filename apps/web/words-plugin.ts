import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import compile from 'icu-minify/compile'
import type { Plugin } from 'vite'
import { folderOf, order } from '../../features/order.js'
import { firstWords } from './building/first-words.ts'

const prefix = 'virtual:words/'
const root = new URL('../../', import.meta.url)

/**
 * `virtual:words/zh` and `virtual:words/en`: the compiled texts of every feature, one module per language. In the browser's build, texts
 * that reading does not need are in `virtual:words/zh/more`. `virtual:words/zh/all` adds those of staff: the texts in a feature's
 * `admin/words/` have the feature's name with the suffix `Admin`.
 */
export function words(): Plugin {
  let isForBrowser = false
  return {
    name: 'teahouse-words',
    configResolved: ({ command, build }) => void (isForBrowser = command === 'build' && !build.ssr),
    resolveId: (source) => (source.startsWith(prefix) ? `\0${source}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined
      const [language = '', part] = id.slice(prefix.length + 1).split('/')
      const isForStaff = part === 'all'
      const isFirst = isForBrowser && !isForStaff ? firstWords() : () => part !== 'more'
      const messages: Record<string, unknown> = {}
      for (const [name, folder] of folders()) {
        if (!isForStaff && /(^a|A)dmin$/.test(name)) continue
        const file = fileURLToPath(new URL(`${language}.json`, folder))
        this.addWatchFile(file)
        const its = Object.entries(compiled(file)).filter(([key]) => isFirst(name, key) !== (part === 'more'))
        if (its.length > 0) messages[name] = Object.fromEntries(its)
      }
      return `export default ${JSON.stringify(messages)}`
    },
  }
}

function compiled(file: string): Record<string, unknown> {
  const texts: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'))
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, compile(text)]))
}

function* folders(): Iterable<[string, URL]> {
  for (const name of readdirSync(new URL('base/words/', root))) yield [name, new URL(`base/words/${name}/`, root)]
  for (const feature of order) {
    const name = feature.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    const [forAll, forStaff] = ['words/', 'admin/words/'].map((words) => new URL(`${folderOf(feature)}/${words}`, root)) as [URL, URL]
    if (existsSync(forAll)) yield [name, forAll]
    if (existsSync(forStaff)) yield [`${name}Admin`, forStaff]
  }
}
