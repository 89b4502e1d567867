import compile from 'icu-minify/compile'
import { translatorFor } from '#base/web/words.tsx'
import { existsSync, readFileSync } from 'node:fs'
import { folderOf } from '../features/order.js'

/** The product's own texts, so that a test finds a button by its label in either language: `words('site.logIn')`. */
export function wordsIn(language: 'zh' | 'en'): (key: string, values?: Record<string, string | number>) => string {
  return (key, values = {}) => {
    const [part = '', name = ''] = key.split('.')
    const folder = part.replace(/Admin$/, '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const ofFeature = ['words', 'admin/words'].map((words) => `../${folderOf(folder)}/${words}/${language}.json`)
    const places = [`../base/words/${part}/${language}.json`, ...(part.endsWith('Admin') ? ofFeature.toReversed() : ofFeature)]
    const file = places.map((place) => new URL(place, import.meta.url)).find((place) => existsSync(place))
    const text = file && JSON.parse(readFileSync(file, 'utf8'))[name]
    if (typeof text !== 'string') throw new Error(`There are no words for ${key}`)
    // Missing arguments are empty, and a select uses its default.
    const args = { ...Object.fromEntries([...text.matchAll(/\{(\w+)[,}]/g)].map(([, argument = '']) => [argument, ''])), ...values }
    return translatorFor({ language, messages: { [part]: { [name]: compile(text) } } })(key, args)
  }
}
