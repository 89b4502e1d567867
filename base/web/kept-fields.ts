import { useState, type FormEvent } from 'react'
import { forgetDraft, store, stored } from '#base/web/editor/draft-place.ts'

type Fields = Record<string, string>

export type KeptFields = {
  /** What was typed here before the page was left. */
  first: Fields
  keep: (event: FormEvent) => void
  clear: () => void
}

/** Keeps the plain fields of a form on this device at every keystroke, beside the draft of its text. */
export function useKeptFields(key: string): KeptFields {
  const place = `fields ${key}`
  const [first] = useState(() => fieldsIn(stored(place)))
  return {
    first,
    keep({ target }) {
      if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement) || !target.name) return
      store(place, { ...fieldsIn(stored(place)), [target.name]: target.value })
    },
    clear: () => forgetDraft(place),
  }
}

function fieldsIn(kept: unknown): Fields {
  if (typeof kept !== 'object' || kept === null) return {}
  return Object.fromEntries(Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
