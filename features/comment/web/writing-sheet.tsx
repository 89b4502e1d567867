import { useEffect, type ReactNode } from 'react'
import { isOnPhone } from '#base/web/phone.ts'
import type { Height } from '#base/web/grip.tsx'
import { Sheet } from '#base/web/sheet.tsx'
import { useDesk } from '#comment/web/desk.tsx'

type Props = {
  label: string
  height: Height
  /** What is answered, which stays in sight above the sheet. */ above?: string
  children: ReactNode
}

/** The sheet on which one writes in a thread: put away, it comes back with one tap. */
export function WritingSheet({ label, height, above, children }: Props) {
  const { writing, write } = useDesk()
  const isOpen = writing !== null && !writing.isAway
  useEffect(() => {
    if (isOpen && above && isOnPhone()) document.querySelector(above)?.scrollIntoView({ block: 'start' })
  }, [isOpen, above])

  // An edit stands where the post stood, which comes back; what is written of it is kept as a draft.
  function putAway(): void {
    write(writing?.kind === 'edit' ? null : writing && { ...writing, isAway: true })
  }

  return (
    <Sheet label={label} height={height} isOpen={isOpen} putAway={putAway}>
      {children}
    </Sheet>
  )
}
