import { storeOf } from '#base/web/store.ts'

/** The reading preferences, stored on this device. */
export type Choices = { flow: 'pages' | 'scroll'; shape: 'flat' | 'tree' }

const place = 'reading'

export const choices = storeOf<Choices>(remembered())

export function choose(change: Partial<Choices>): void {
  const chosen = { ...choices.get(), ...change }
  choices.set(chosen)
  try {
    localStorage.setItem(place, JSON.stringify(chosen))
  } catch {
    // storage is not available: the choice holds for this page
  }
}

function remembered(): Choices {
  try {
    const { flow, shape } = JSON.parse(localStorage.getItem(place) ?? '{}')
    return { flow: flow === 'scroll' ? 'scroll' : 'pages', shape: shape === 'tree' ? 'tree' : 'flat' }
  } catch {
    return { flow: 'pages', shape: 'flat' } // storage is not available, or has unexpected content
  }
}
