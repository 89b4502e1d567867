import { useEffect, useState, type FormEvent } from 'react'
import { currentDraft, storeFields, whenReplaced } from '#base/editor/draft-store.ts'

/** Values by field name; ticked boxes as their values, separated by spaces, and text fields of one name by line breaks. */
export type FieldValues = Record<string, string>

export type StoredFields = {
  /** The values stored before the page was left. */
  initial: FieldValues
  /** Changes when the fields are to be replaced. */
  key: number
  store: (event: FormEvent) => void
}

/** Stores the plain fields of a form on this device at every keystroke, beside the draft of its text. */
export function useStoredFields(draftKey: string): StoredFields {
  const [{ first, key }, show] = useState(() => ({ first: fieldsIn(draftKey), key: 0 }))
  useEffect(() => whenReplaced(draftKey, () => show(({ key: last }) => ({ first: fieldsIn(draftKey), key: last + 1 }))), [draftKey])
  return {
    initial: first,
    key,
    store({ target }) {
      if (!isField(target) || !target.name) return
      storeFields(draftKey, { ...fieldsIn(draftKey), [target.name]: valueOf(target) })
    },
  }
}

type PlainField = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

function isField(target: EventTarget | Element): target is PlainField {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement
}

function valueOf(field: PlainField): string {
  if (field.type === 'radio') return field.value
  const ofItsName = [...(field.form?.elements ?? [field])].filter((one): one is PlainField => isField(one) && one.name === field.name)
  if (field.type !== 'checkbox') return ofItsName.map(({ value }) => value).join('\n')
  return ofItsName.flatMap((one) => (one instanceof HTMLInputElement && one.checked ? one.value : [])).join(' ')
}

function fieldsIn(draftKey: string): FieldValues {
  const stored = currentDraft(draftKey).fields
  if (typeof stored !== 'object' || stored === null) return {}
  return Object.fromEntries(Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
