import { useEffect } from 'react'
import { useLater } from '#base/web/lazy-part.ts'
import { helpIsOpen, listenForKeys } from '#base/web/shortcuts.ts'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'

/** Listens for shortcuts, and lists them in a help dialog, which loads when it is first opened. */
export function ShortcutsHelp() {
  const words = useWords('call')
  const isOpen = helpIsOpen.use()
  const dialog = useLater(
    () => import('#apps/web/shortcuts-dialog.tsx'),
    isOpen,
    () => {
      helpIsOpen.set(false)
      toast(words('offline'))
    },
  )
  useEffect(() => listenForKeys(), [])
  return dialog && <dialog.ShortcutsDialog isOpen={isOpen} />
}
