import { createContext, useContext, useEffect, useLayoutEffect } from 'react'
import { useForm } from '#base/web/form.tsx'

/** The side of a form in an edit conflict: the other person's, or one's own. */
export const Side = createContext<'theirs' | { refused: (said: string) => void } | null>(null)

export function useIsTheirs(): boolean {
  return useContext(Side) === 'theirs'
}

/** Reports that the form was refused because of a newer version. */
export function useRefusedVersion(): void {
  const side = useContext(Side)
  const { errors, hold, mend } = useForm()
  const said = errors['version']
  // The error about the version appears beside the form, not in it.
  useLayoutEffect(() => {
    if (side) hold('version', undefined)
  }, [side, hold])
  useEffect(() => {
    if (!said || typeof side !== 'object' || !side) return
    mend('version')
    side.refused(said)
  }, [said, side, mend])
}
