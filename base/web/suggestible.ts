import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** A control that takes a suggested value, such as a title or a tag from the assistant. */
export type SuggestibleField = {
  /** The label of a value; null for one that the control does not offer. */
  labelOf(value: string): string | null
  take(value: string): void
}

export type SuggestibleFields = {
  /** The controls of the form that take suggestions, by name. */
  suggestible: Readonly<Record<string, SuggestibleField>>
  /** Adds one; returns the function that removes it. */
  addSuggestible(name: string, field: SuggestibleField): () => void
}

/** The controls of a form that take suggestions. */
export function useSuggestibleFields(): SuggestibleFields {
  const [suggestible, setFields] = useState<SuggestibleFields['suggestible']>({})
  const addSuggestible = useCallback((name: string, field: SuggestibleField) => {
    setFields((fields) => ({ ...fields, [name]: field }))
    return () => setFields((fields) => Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name)))
  }, [])
  return { suggestible, addSuggestible }
}

/** Lets a control of the form take suggestions, as it was rendered last. */
export function useSuggestible(add: SuggestibleFields['addSuggestible'], name: string, field: SuggestibleField): void {
  const latest = useRef(field)
  useLayoutEffect(() => {
    latest.current = field
  })
  useEffect(
    () => add(name, { labelOf: (value) => latest.current.labelOf(value), take: (value) => latest.current.take(value) }),
    [add, name],
  )
}
