import { useEffect, type ReactNode } from 'react'
import { isOnPhone } from '#base/web/phone.ts'
import type { Height } from '#base/web/grip.tsx'
import { Sheet } from '#base/web/sheet.tsx'
import { useThread } from '#comment/web/thread-context.tsx'

type Props = {
  label: string
  height: Height
  /** The selector of the answered post, which stays in view above the sheet. */ above?: string
  children: ReactNode
}

/** The sheet with a form of the thread; minimised, it returns with one tap. */
export function WritingSheet({ label, height, above, children }: Props) {
  const { writing, write } = useThread()
  const isOpen = writing !== null && !writing.isMinimised
  useEffect(() => {
    if (isOpen && above && isOnPhone()) document.querySelector(above)?.scrollIntoView({ block: 'start' })
  }, [isOpen, above])

  // An edit replaces the post, which is shown again; its text is kept as a draft.
  function putAway(): void {
    write(writing?.kind === 'edit' ? null : writing && { ...writing, isMinimised: true })
  }

  return (
    <Sheet label={label} height={height} isOpen={isOpen} dismiss={putAway}>
      {children}
    </Sheet>
  )
}
