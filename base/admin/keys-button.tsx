import type { ReactNode } from 'react'
import { helpIsOpen } from '#base/web/shortcuts.ts'

/** A short list of the screen's shortcuts, with a button for all of them. */
export function KeysButton({ children }: { children: ReactNode }) {
  return (
    <button type="button" className="plain keys" onClick={() => helpIsOpen.set(true)}>
      {children}
    </button>
  )
}
