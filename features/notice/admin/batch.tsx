import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { useWords } from '#base/web/words.tsx'
import type { removeNotices, restoreNotices } from '#notice/staff-contract.ts'

type Props = { ids: readonly string[]; isRemoved: boolean; done: () => void }

/** Takes notices from everybody, or puts them back. */
export function Batch({ ids, isRemoved, done }: Props) {
  const words = useWords('noticeAdmin')
  const remove = useDeed<typeof removeNotices>('/admin/notice/remove')
  const restore = useDeed<typeof restoreNotices>('/admin/notice/restore')
  const noticeIds = [...ids]

  async function takeOff(): Promise<void> {
    if (!(await confirm(words('removeAsk', { count: ids.length }), words('remove')))) return
    if (await remove.go({ noticeIds })) done()
  }

  async function putBack(): Promise<void> {
    if (await restore.go({ noticeIds })) done()
  }

  const { isBusy } = isRemoved ? restore : remove
  return (
    <button type="button" className="button quiet" disabled={isBusy} onClick={() => void (isRemoved ? putBack() : takeOff())}>
      {words(isRemoved ? 'restore' : 'remove')}
    </button>
  )
}
