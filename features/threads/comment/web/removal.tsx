import { useRevalidator } from 'react-router'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { removeRemark } from '#comment/contract.ts'
import { useThread } from '#comment/web/thread-context.tsx'
import { remarks } from '#comment/web/remarks.ts'
import { ModeratorRemoval } from '#writing/web/writing.tsx'
import type { RemarkKind } from '#kind/contract.ts'

type Props = { kind: RemarkKind; id: string; isOpen: boolean; close: () => void; gone: () => void }

/** The dialog in which a moderator removes another author's comment or reply. */
export function Removal({ kind, id, isOpen, close, gone }: Props) {
  const words = useWords('comment', { of: useThread().topic.kind })
  const { revalidate } = useRevalidator()

  async function removed(): Promise<void> {
    close()
    toast(words('removed'))
    await revalidate()
    gone()
  }

  return (
    <ModeratorRemoval
      sends={removeRemark}
      along={{ kind, id }}
      title={words(remarks[kind].words.removeQuestion)}
      action={words('remove')}
      isOpen={isOpen}
      close={close}
      then={removed}
    />
  )
}
