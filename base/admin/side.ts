import { createContext, useContext, useEffect, useLayoutEffect } from 'react'
import { useForm } from '#base/web/form.tsx'

/** Which of two forms this is, where somebody else's stands beside one's own. */
export const Side = createContext<'theirs' | { refused: (said: string) => void } | null>(null)

export function useIsTheirs(): boolean {
  return useContext(Side) === 'theirs'
}

/** Tells when the form was refused because somebody else changed what it is about. */
export function useRefusedVersion(): void {
  const side = useContext(Side)
  const { errors, hold, mend } = useForm()
  const said = errors['version']
  // What is refused for its version is told beside the form, and not in it.
  useLayoutEffect(() => {
    if (side) hold('version', undefined)
  }, [side, hold])
  useEffect(() => {
    if (!said || typeof side !== 'object' || !side) return
    mend('version')
    side.refused(said)
  }, [said, side, mend])
}
