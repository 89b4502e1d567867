import { useSyncExternalStore } from 'react'

const place = 'recentSearches'
const most = 8
const none: readonly string[] = []
const listeners = new Set<() => void>()
let read: { text: string | null; words: readonly string[] } = { text: null, words: none }

/** What was looked for on this device, the latest first. It is told to nobody. */
export function useRecent(): readonly string[] {
  return useSyncExternalStore(listen, recent, () => none)
}

export function remember(keyword: string): void {
  const said = keyword.trim()
  if (said === '' || recent()[0] === said) return
  keep([said, ...recent().filter((one) => one !== said)].slice(0, most))
}

export function forgetRecent(): void {
  keep([])
}

function recent(): readonly string[] {
  const text = stored()
  // The same list as long as it says the same.
  if (text !== read.text) read = { text, words: wordsIn(text) }
  return read.words
}

function wordsIn(text: string | null): readonly string[] {
  if (text === null) return none
  try {
    const words: unknown = JSON.parse(text)
    return Array.isArray(words) ? words.filter((one) => typeof one === 'string').slice(0, most) : none
  } catch (error) {
    console.info('Recent searches cannot be read', error)
    return none
  }
}

function keep(words: readonly string[]): void {
  try {
    if (words.length === 0) localStorage.removeItem(place)
    else localStorage.setItem(place, JSON.stringify(words))
  } catch (error) {
    console.info('This browser keeps no recent searches', error)
  }
  for (const listener of listeners) listener()
}

function stored(): string | null {
  try {
    return localStorage.getItem(place)
  } catch (error) {
    console.info('This browser keeps no recent searches', error)
    return null
  }
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
