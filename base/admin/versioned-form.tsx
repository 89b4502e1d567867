import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useRevalidator } from 'react-router'
import { VersionConflict } from '#base/admin/version-conflict.tsx'
import { ConflictSide } from '#base/admin/conflict-side.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/admin/clash.module.css'

type VersionedProps<Thing> = {
  /** The version in the page's data. */
  item: Thing
  /** The form stays on the page after saving. */
  staysOpen?: boolean
  /** The form, which contains the guard against unsaved changes. */
  children: (thing: Thing) => ReactNode
}

/** A form with optimistic locking. When it is refused for a newer version, that version appears beside it, and the typed text is kept. */
export function VersionedForm<Thing extends { version: number | string }>({ item, staysOpen = false, children }: VersionedProps<Thing>) {
  const words = useWords('admin')
  const { revalidate } = useRevalidator()
  const [conflict, setConflict] = useState('')
  const [{ began, version, round }, begin] = useState({ began: item, version: item.version, round: 0 })
  const isNew = item.version !== version

  function takeTheirs(): void {
    setConflict('')
    begin({ began: item, version: item.version, round: round + 1 })
  }

  function keepMine(): void {
    setConflict('')
    begin({ began, version: item.version, round })
  }

  if (staysOpen && isNew && !conflict) takeTheirs()
  const refused = (by: string) => {
    setConflict(by)
    void revalidate()
  }
  return (
    <div className={css.beside}>
      {conflict && isNew && (
        <VersionConflict {...{ said: conflict, keepMine, takeTheirs }}>
          <p className="meta">{words('theirs')}</p>
          <OtherVersion>{children(item)}</OtherVersion>
        </VersionConflict>
      )}
      {conflict && !isNew && (
        <p className="note" role="alert">
          {conflict}
        </p>
      )}
      <div key={round}>
        <ConflictSide value={{ refused }}>{children({ ...began, version })}</ConflictSide>
      </div>
    </div>
  )
}

/** The other person's version of the form, read-only, with the differences marked. */
function OtherVersion({ children }: { children: ReactNode }) {
  const box = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    const theirs = box.current?.querySelector('form')
    const mine = box.current?.closest('section')?.parentElement?.querySelector(':scope > div form')
    if (!theirs || !(mine instanceof HTMLFormElement)) return
    const own = new Set([...mine.elements].map(valueOf))
    for (const control of theirs.elements) {
      if (!control.getAttribute('name')) continue
      const place = control.closest('.field') ?? control.closest('label')
      place?.setAttribute(own.has(valueOf(control)) ? 'data-same' : 'data-differs', '')
    }
  }, [])
  return (
    <fieldset ref={box} disabled className={css.theirs}>
      <ConflictSide value="theirs">{children}</ConflictSide>
    </fieldset>
  )
}

function valueOf(control: Element): string {
  if (control instanceof HTMLInputElement) return `${control.name} ${control.value} ${control.checked}`
  if (control instanceof HTMLTextAreaElement || control instanceof HTMLSelectElement) return `${control.name} ${control.value}`
  return ''
}
