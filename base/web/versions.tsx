import { useState, type ReactNode } from 'react'
import { later } from '#base/web/lazy-part.ts'
import { toast } from '#base/web/toast.tsx'
import type { LoadVersions, VersionsDialog } from '#base/web/versions/versions-dialog.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/versions.module.css'

/** A quiet button that opens the history of a text. */
export function Versions({ load, label }: { load: LoadVersions; label: ReactNode }) {
  const { open, dialog } = useVersions(load)
  return (
    <>
      <button type="button" className={css.open} onClick={open}>
        {label}
      </button>
      {dialog}
    </>
  )
}

/** Opens the history of a text. Its dialog is loaded on demand. */
export function useVersions(load: LoadVersions): { open: () => void; dialog: ReactNode } {
  const words = useWords('call')
  const [Open, setOpen] = useState<typeof VersionsDialog | null>(null)

  function open(): void {
    later(import('#base/web/versions/versions-dialog.tsx')).then(
      (loaded) => setOpen(() => loaded.VersionsDialog),
      () => toast(words('offline')),
    )
  }

  return { open, dialog: Open && <Open load={load} close={() => setOpen(null)} /> }
}
