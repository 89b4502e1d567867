import { useEffect, useState } from 'react'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import type { remarkForStaff } from '#content/contract.ts'
import { commentsForStaff, repliesForStaff } from '#content/list-contract.ts'
import type { RemarkKind } from '#kind/contract.ts'

/** The differences between comments and replies: their lists and catalogue keys. */
export const remarks = {
  comment: {
    lists: commentsForStaff,
    words: { many: 'comments', as: 'commentAs', now: 'commentNow' },
  },
  reply: {
    lists: repliesForStaff,
    words: { many: 'replies', as: 'replyAs', now: 'replyNow' },
  },
} as const satisfies Record<RemarkKind, object>

/** The source of a comment or a reply, loaded on demand. */
export function useRemark(kind: RemarkKind, id: string) {
  const api = useApi()
  const [remark, setRemark] = useState<Output<typeof remarkForStaff> | null>(null)
  const [tries, setTries] = useState(0)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    let isHere = true
    api.read<typeof remarkForStaff>('/admin/remark/view', { kind, id }).then(
      (found) => isHere && setRemark(found),
      (error: unknown) => {
        if (!(error instanceof CallFailed)) throw error
        setFailed(true)
      },
    )
    return () => void (isHere = false)
  }, [api, kind, id, tries])

  function ask(): void {
    setFailed(false)
    setTries(tries + 1)
  }
  return { remark, hasFailed, ask }
}
