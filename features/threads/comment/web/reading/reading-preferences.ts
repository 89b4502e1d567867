import { createStore } from '#base/web/store.ts'

/** The reading preferences, stored on this device. */
export type ReadingPreferences = { flow: 'pages' | 'scroll'; shape: 'flat' | 'tree' }

const storageKey = 'reading'

export const readingPreferences = createStore<ReadingPreferences>(storedPreferences())

export function setReadingPreferences(change: Partial<ReadingPreferences>): void {
  const chosen = { ...readingPreferences.get(), ...change }
  readingPreferences.set(chosen)
  try {
    localStorage.setItem(storageKey, JSON.stringify(chosen))
  } catch {
    // storage is not available: the choice holds for this page
  }
}

function storedPreferences(): ReadingPreferences {
  try {
    const { flow, shape } = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    return { flow: flow === 'scroll' ? 'scroll' : 'pages', shape: shape === 'tree' ? 'tree' : 'flat' }
  } catch {
    return { flow: 'pages', shape: 'flat' } // storage is not available, or has unexpected content
  }
}
