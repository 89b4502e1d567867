import { existsSync, readFileSync } from 'node:fs'

/** The product's own texts, so that a journey finds a button by its name in either language: `words('site.logIn')`. */
export function wordsIn(language: 'zh' | 'en'): (key: string, values?: Record<string, string | number>) => string {
  return (key, values = {}) => {
    const [part = '', name = ''] = key.split('.')
    const places = [`../base/words/${part}/${language}.json`, `../features/${part}/words/${language}.json`]
    const file = places.map((place) => new URL(place, import.meta.url)).find((place) => existsSync(place))
    const text = file && JSON.parse(readFileSync(file, 'utf8'))[name]
    if (typeof text !== 'string') throw new Error(`There are no words for ${key}`)
    return text.replace(/\{(\w+)[^{}]*\}/g, (_, value: string) => String(values[value] ?? ''))
  }
}
