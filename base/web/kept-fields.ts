import { useEffect, useState, type FormEvent } from 'react'
import { draftHere, storeFields, whenReplaced } from '#base/web/editor/draft-place.ts'

type Fields = Record<string, string>

export type KeptFields = {
  /** What was typed here before the page was left. */
  first: Fields
  /** Another when the fields are to show something else. */
  key: number
  keep: (event: FormEvent) => void
}

/** Keeps the plain fields of a form on this device at every keystroke, beside the draft of its text. */
export function useKeptFields(draftKey: string): KeptFields {
  const [{ first, key }, show] = useState(() => ({ first: fieldsIn(draftKey), key: 0 }))
  useEffect(() => whenReplaced(draftKey, () => show(({ key: last }) => ({ first: fieldsIn(draftKey), key: last + 1 }))), [draftKey])
  return {
    first,
    key,
    keep({ target }) {
      if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement) || !target.name) return
      storeFields(draftKey, { ...fieldsIn(draftKey), [target.name]: target.value })
    },
  }
}

function fieldsIn(draftKey: string): Fields {
  const kept = draftHere(draftKey).fields
  if (typeof kept !== 'object' || kept === null) return {}
  return Object.fromEntries(Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
