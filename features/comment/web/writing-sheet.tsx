import { useEffect, type ReactNode } from 'react'
import { isOnPhone } from '#base/web/phone.ts'
import type { Height } from '#base/web/grip.tsx'
import { Sheet } from '#base/web/sheet.tsx'
import { useDesk } from '#comment/web/desk.tsx'

type Props = {
  label: string
  height: Height
  /** The selector of the answered post, which stays in view above the sheet. */ above?: string
  children: ReactNode
}

/** The sheet with a form of the thread; minimised, it returns with one tap. */
export function WritingSheet({ label, height, above, children }: Props) {
  const { writing, write } = useDesk()
  const isOpen = writing !== null && !writing.isAway
  useEffect(() => {
    if (isOpen && above && isOnPhone()) document.querySelector(above)?.scrollIntoView({ block: 'start' })
  }, [isOpen, above])

  // An edit replaces the post, which is shown again; its text is kept as a draft.
  function putAway(): void {
    write(writing?.kind === 'edit' ? null : writing && { ...writing, isAway: true })
  }

  return (
    <Sheet label={label} height={height} isOpen={isOpen} putAway={putAway}>
      {children}
    </Sheet>
  )
}
