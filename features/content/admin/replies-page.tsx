import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { useWords } from '#base/web/words.tsx'
import type { BatchView } from '#batch/contract.ts'
import type { Places } from '#content/admin/tag-choice.tsx'
import { RemarkList } from '#content/admin/remark-list.tsx'
import { repliesForStaff } from '#content/contract.ts'

export function Page() {
  const words = useWords('contentAdmin')
  const data = useLoaderData<{ page: Output<typeof repliesForStaff>; tags: Places; atWork: readonly BatchView[] }>()
  return <RemarkList kind="reply" title={words('replies')} of={repliesForStaff} {...data} />
}
