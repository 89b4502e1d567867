import { createContext, useContext, useEffect, useLayoutEffect } from 'react'
import { useForm } from '#base/web/form.tsx'

/** The side of a form in an edit conflict: the other person's, or one's own. */
export const ConflictSide = createContext<'theirs' | { refused: (said: string) => void } | null>(null)

export function useIsOtherVersion(): boolean {
  return useContext(ConflictSide) === 'theirs'
}

/** Reports that the form was refused because of a newer version. */
export function useVersionConflict(): void {
  const side = useContext(ConflictSide)
  const { errors, setValue, clearError } = useForm()
  const message = errors['version']
  // The error about the version appears beside the form, not in it.
  useLayoutEffect(() => {
    if (side) setValue('version', undefined)
  }, [side, setValue])
  useEffect(() => {
    if (!message || typeof side !== 'object' || !side) return
    clearError('version')
    side.refused(message)
  }, [message, side, clearError])
}
