import { useState } from 'react'
import { useAction } from '#base/web/action.ts'
import { useWords } from '#base/web/words.tsx'
import { ReasonForm } from '#content/admin/actions.tsx'
import { removePostscript, type restorePostscript } from '#content/postscript-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'

type Props = { topicId: string; number: number; isRemoved: boolean }

/** Removes an addendum of a question, or restores it. */
export function PostscriptAction({ topicId, number, isRemoved }: Props) {
  const words = useWords('contentAdmin')
  const [isAsking, setAsking] = useState(false)
  const restore = useAction<typeof restorePostscript>('/admin/postscript/restore')
  const along = { topicId, number }
  if (!mayDo('content.remove')) return null
  if (isRemoved)
    return (
      <button
        type="button"
        className="plain"
        disabled={restore.isBusy}
        onClick={() => void restore.run(along, { message: words('restored') })}
      >
        {words('doRestore')}
      </button>
    )
  const close = () => setAsking(false)
  return (
    <>
      <button type="button" className="plain" onClick={() => setAsking(true)}>
        {words('doRemove')}
      </button>
      {isAsking && (
        <ReasonForm
          title={words('removePostscript', { number })}
          sends={removePostscript}
          along={along}
          action={words('doRemove')}
          close={close}
        />
      )}
    </>
  )
}
