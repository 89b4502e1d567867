import { useLoaderData } from 'react-router'
import { useWords } from '#base/web/words.tsx'
import { useMember } from '#account/web/account.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { Empty } from '#base/web/states.tsx'
import type { memberRemarks } from '#comment/contract.ts'
import { RemarkList } from '#comment/web/remark-list.tsx'
import { remarks } from '#comment/web/remarks.ts'
import { postPath, type RemarkKind, type ThreadKind } from '#kind/contract.ts'

type RemarkListData = Output<typeof memberRemarks> & { kind: RemarkKind; thread: ThreadKind }

export function Page() {
  const me = useMember()
  const list = useLoaderData<RemarkListData>()
  const words = useWords('comment', { of: list.thread })
  const { kind, thread, user, page, pages, total } = list
  const visible = list.remarks.map((remark) => ({ ...remark, to: postPath({ ...remark, kind, thread }) }))
  const isMine = me?.userId === user.id
  const around = (
    <Link to={thread === 'question' ? '/askList' : '/index'} className="button">
      {words('lookAround')}
    </Link>
  )
  return (
    <section className="column">
      {visible.length === 0 && <Empty action={isMine && around}>{words(remarks[kind].words.none)}</Empty>}
      <RemarkList remarks={visible} />
      <Pagination page={page} pages={pages} total={total} />
    </section>
  )
}
