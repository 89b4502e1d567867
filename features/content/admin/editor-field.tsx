import { useEffect, useLayoutEffect, useState } from 'react'
import type { Doc } from '#base/rich-text/document.ts'
import type { Editor as EditorLater } from '#base/web/editor/editor.tsx'
import { useForm } from '#base/web/form.tsx'
import { later } from '#base/web/later.ts'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { acceptedPictures, useTakePicturesAsStaff } from '#file/web/file.ts'
import { longest } from '#writing/contract.ts'

const nothingWritten: Doc = { type: 'doc', content: [{ type: 'paragraph' }] }

type EditorFieldProps = {
  label: string
  draftKey: string
  kind: 'topic' | 'comment' | 'reply'
  first?: Doc
  /** Whose post it is, where that is somebody else: its pictures are theirs. */
  authorId?: string
}

/** The editor of the forum, as staff have it: what is begun stays on this device. */
export function EditorField({ label, draftKey, kind, first, authorId }: EditorFieldProps) {
  const files = useTakePicturesAsStaff(authorId ?? null)
  const { errors, hold, mend } = useForm()
  const { Editor, hasFailed, retry } = useEditor()
  const [start] = useState(first ?? nothingWritten)
  // Before the editor tells of a draft, which counts for more.
  useLayoutEffect(() => hold('body', start), [hold, start])
  if (hasFailed) return <Failed retry={retry} />
  if (!Editor) return <Skeleton />
  return (
    <Editor
      label={label}
      draftKey={draftKey}
      kind={kind}
      value={first}
      onChange={(doc) => {
        hold('body', doc)
        mend('body')
      }}
      error={errors['body']}
      maxText={longest[kind]}
      suggestMembers={() => Promise.resolve([])}
      accept={acceptedPictures}
      files={files}
    />
  )
}

// Without a boundary that waits: React would make the editor in pieces, and it does not outlive the pause between them.
function useEditor() {
  const [Editor, setEditor] = useState<typeof EditorLater | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    later(import('#base/web/editor/editor.tsx')).then(
      (loaded) => setEditor(() => loaded.Editor),
      () => setFailed(true),
    )
  }, [tries])

  function retry(): void {
    setFailed(false)
    setTries(tries + 1)
  }
  return { Editor, hasFailed, retry }
}
