import { useLayoutEffect, useRef, useState } from 'react'
import type { Doc } from '#base/rich-text/document.ts'
import { currentDraft } from '#base/editor/draft-store.ts'
import { useForm } from '#base/web/form.tsx'
import { useNeeded } from '#base/web/lazy-part.ts'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { acceptedPictures, useStaffUploads } from '#file/web/file.ts'
import { useSite } from '#setting/web/setting.tsx'
import { ownDraftKey } from '#staff/admin/staff.tsx'
import { longest } from '#writing/contract.ts'
import { sizes } from '#writing/web/sizes.ts'
import type { Kind } from '#kind/contract.ts'

const nothingWritten: Doc = { type: 'doc', content: [{ type: 'paragraph' }] }

// Staff cannot attach files or search for members to mention.
const notForStaff = ['file', 'mention']

type EditorFieldProps = {
  label: string
  draftKey: string
  kind: Kind
  first?: Doc
  /** The author, if that is another member: pictures in the post are theirs. */
  authorId?: string
}

/** The forum's editor for staff; drafts stay on this device. */
export function EditorField({ label, draftKey: place, kind, first, authorId }: EditorFieldProps) {
  const draftKey = ownDraftKey(place)
  const { hiddenTools } = useSite()
  const files = useStaffUploads(authorId ?? null)
  const { errors, setValue, clearError } = useForm()
  const { part, hasFailed, retry } = useNeeded(() => import('#base/editor/editor.tsx'))
  const [start] = useState(first ?? nothingWritten)
  const box = useRef<HTMLDivElement>(null)
  // Before the editor reports a draft, which takes precedence.
  useLayoutEffect(() => setValue('body', start), [setValue, start])
  if (hasFailed) return <Failed retry={retry} />
  if (!part) return <Skeleton />

  function write(doc: Doc): void {
    setValue('body', doc)
    clearError('body')
    // Tools and drops are changes of the form like any other; discarding the draft is none.
    if (currentDraft(draftKey).text !== null) box.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }

  return (
    <div ref={box}>
      <part.Editor
        label={label}
        draftKey={draftKey}
        size={sizes[kind]}
        hidden={[...hiddenTools[kind], ...notForStaff]}
        value={first}
        onChange={write}
        error={errors['body']}
        maxText={longest[kind]}
        suggestMembers={() => Promise.resolve([])}
        accept={acceptedPictures}
        files={files}
      />
    </div>
  )
}
