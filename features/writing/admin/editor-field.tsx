import { useLayoutEffect, useRef, useState } from 'react'
import type { Doc } from '#base/rich-text/document.ts'
import { draftHere } from '#base/web/editor/draft-place.ts'
import { useForm } from '#base/web/form.tsx'
import { useNeeded } from '#base/web/later.ts'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { acceptedPictures, useTakePicturesAsStaff } from '#file/web/file.ts'
import { useSite } from '#setting/web/setting.tsx'
import { keyOfMine } from '#staff/admin/staff.tsx'
import { longest } from '#writing/contract.ts'
import { sizes } from '#writing/web/sizes.ts'
import type { Kind } from '#kind/contract.ts'

const nothingWritten: Doc = { type: 'doc', content: [{ type: 'paragraph' }] }

// They bring no files, and look up no members to mention.
const notForStaff = ['file', 'mention']

type EditorFieldProps = {
  label: string
  draftKey: string
  kind: Kind
  first?: Doc
  /** Whose post it is, where that is somebody else: its pictures are theirs. */
  authorId?: string
}

/** The editor of the forum, as staff have it: what is begun stays on this device. */
export function EditorField({ label, draftKey: place, kind, first, authorId }: EditorFieldProps) {
  const draftKey = keyOfMine(place)
  const { hiddenTools } = useSite()
  const files = useTakePicturesAsStaff(authorId ?? null)
  const { errors, hold, mend } = useForm()
  const { part, hasFailed, retry } = useNeeded(() => import('#base/web/editor/editor.tsx'))
  const [start] = useState(first ?? nothingWritten)
  const box = useRef<HTMLDivElement>(null)
  // Before the editor tells of a draft, which counts for more.
  useLayoutEffect(() => hold('body', start), [hold, start])
  if (hasFailed) return <Failed retry={retry} />
  if (!part) return <Skeleton />

  function write(doc: Doc): void {
    hold('body', doc)
    mend('body')
    // What a tool or a drop did is a change of the form like any other; what was given up is none.
    if (draftHere(draftKey).text !== null) box.current?.dispatchEvent(new Event('input', { bubbles: true }))
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
