import { useSyncExternalStore } from 'react'
import { member, memberLoaded } from '#account/web/account.tsx'

const place = 'recentSearches'
const most = 8
const empty: readonly string[] = []
const listeners = new Set<() => void>()
let read: { text: string | null; words: readonly string[] } = { text: null, words: empty }

/**
 * The recent searches of the present viewer on this device, newest first. They are not sent anywhere, and other accounts on the
 * device do not see them.
 */
export function useRecent(): readonly string[] {
  return useSyncExternalStore(listen, recent, () => empty)
}

export async function remember(keyword: string): Promise<void> {
  const text = keyword.trim()
  await memberLoaded()
  if (text === '' || recent()[0] === text) return
  store([text, ...recent().filter((one) => one !== text)].slice(0, most))
}

export function clearRecent(): void {
  store([])
}

function recent(): readonly string[] {
  const text = stored()
  // The same array while the stored text is unchanged.
  if (text !== read.text) read = { text, words: wordsIn(text) }
  return read.words
}

function wordsIn(text: string | null): readonly string[] {
  if (text === null) return empty
  try {
    const words: unknown = JSON.parse(text)
    return Array.isArray(words) ? words.filter((one) => typeof one === 'string').slice(0, most) : empty
  } catch (error) {
    console.info('Recent searches cannot be read', error)
    return empty
  }
}

function store(words: readonly string[]): void {
  try {
    if (words.length === 0) localStorage.removeItem(nameOfPlace())
    else localStorage.setItem(nameOfPlace(), JSON.stringify(words))
  } catch (error) {
    console.info('This browser keeps no recent searches', error)
  }
  for (const listener of listeners) listener()
}

// Visitors share one list.
function nameOfPlace(): string {
  const me = member.get()
  return me ? `${place} ${me.userId}` : place
}

function stored(): string | null {
  if (member.get() === undefined) return null
  try {
    return localStorage.getItem(nameOfPlace())
  } catch (error) {
    console.info('This browser keeps no recent searches', error)
    return null
  }
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  const stop = member.watch(listener)
  return () => {
    stop()
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
