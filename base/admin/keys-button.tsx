import type { ReactNode } from 'react'
import { helpIsOpen } from '#base/web/shortcuts.ts'

/** Says the keys of a screen in short, and shows all of them. */
export function KeysButton({ children }: { children: ReactNode }) {
  return (
    <button type="button" className="plain keys" onClick={() => helpIsOpen.set(true)}>
      {children}
    </button>
  )
}
