import { useSearchParams } from 'react-router'
import { FilterChoice } from '#base/admin/filters.tsx'
import { useWords } from '#base/web/words.tsx'
import { FilterTag, type Places } from '#content/admin/tag-choice.tsx'
import { threadKinds, type Kind } from '#kind/contract.ts'
import { usePostTitle } from '#kind/web/kind.tsx'

/** The filter fields that lists of posts draw themselves; ids come from links. */
export function useContentFields(kind: Kind, tags: Places) {
  const words = useWords('contentAdmin')
  const title = usePostTitle()
  const [query] = useSearchParams()
  const options = threadKinds.map((thread) => [thread, title({ kind, thread })] as const)
  return {
    tagId: <FilterTag tags={tags} />,
    thread: <FilterChoice name="thread" label={words('kind')} options={options} />,
    topicId: false,
    commentId: false,
    ...(!query.has('batchId') && { batchId: false }),
  }
}
