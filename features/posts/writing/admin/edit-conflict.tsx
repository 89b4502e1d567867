import { useEffect, useEffectEvent, useLayoutEffect, useState, type FormEvent } from 'react'
import { VersionConflict } from '#base/admin/version-conflict.tsx'
import type { Doc } from '#base/rich-text/document.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import { currentDraft, storeFields } from '#base/editor/draft-store.ts'
import { useForm } from '#base/web/form.tsx'
import { Segments } from '#base/web/html.tsx'
import { useStoredFields } from '#base/editor/stored-fields.ts'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import type { AuthorView } from '#user/contract.ts'
import css from '#writing/admin/writing.module.css'

/** The present content of the edited post. */
export type EditConflict = {
  version: number
  author: AuthorView
  editedBy: AuthorView | null
  editedAt?: string | null
  title?: string | undefined
  segments: readonly Segment[]
  body: Doc
}

/** The draft on this device and the version that it is based on, even if another was loaded since. */
export function useDraftBase(draftKey: string, version: number) {
  const { initial, store } = useStoredFields(draftKey)
  const [begun, setBegun] = useState(() => Number(initial['version'] ?? version))
  const note = (from: number) => storeFields(draftKey, { ...(currentDraft(draftKey).fields as object | null), version: String(from) })
  return {
    first: initial,
    begun,
    keep(event: FormEvent): void {
      store(event)
      note(begun)
    },
    goOnFrom(from: number): void {
      setBegun(from)
      note(from)
    },
  }
}

type ConflictViewProps = { begun: number; found: EditConflict; reload: () => void; keepMine: () => void; takeTheirs: () => void }

/** Shows another editor's change beside the draft, with a choice between them. */
export function ConflictView({ begun, found, reload, keepMine, takeTheirs }: ConflictViewProps) {
  const words = useWords('writingAdmin')
  const say = useWords('admin')
  const { errors, setValue, clearError } = useForm()
  const refused = errors['version']
  const look = useEffectEvent(reload)
  // The error of the field `version` appears here.
  useLayoutEffect(() => setValue('version', begun), [setValue, begun])
  useEffect(() => {
    if (refused) look()
  }, [refused])
  if (begun === found.version) return refused ? <p role="alert">{refused}</p> : null
  const { title, segments, editedBy, editedAt, author } = found
  return (
    <VersionConflict
      said={words('clash', { name: (editedBy ?? author).name })}
      takeTheirs={takeTheirs}
      keepMine={() => {
        clearError('version')
        keepMine()
      }}
    >
      <div className={css.theirs}>
        <p className="meta">
          {say('theirs')} {editedAt && <Time at={editedAt} />}
        </p>
        {title && <strong>{title}</strong>}
        <Segments segments={segments} />
      </div>
    </VersionConflict>
  )
}
