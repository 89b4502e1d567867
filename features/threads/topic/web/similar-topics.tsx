import type { Api } from '#base/contract.ts'
import { SimilarPosts } from '#base/web/similar-posts.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { threadPath } from '#kind/contract.ts'
import type { topicsAlike } from '#topic/similar-contract.ts'
import type { TopicLinkView } from '#topic/contract.ts'

/** Topics and questions similar to the title that is being typed. */
export function SimilarTopics({ title }: { title: string }) {
  const words = useWords('topic')
  return (
    <SimilarPosts
      title={title}
      search={loadSimilar}
      heading={words('writtenBefore')}
      renderMatch={(found) => <SimilarTopic {...found} />}
    />
  )
}

async function loadSimilar(api: Api, title: string, signal: AbortSignal): Promise<TopicLinkView[]> {
  return (await api.read<typeof topicsAlike>('/topic/alike', { title }, { silent: true, background: true, signal })).topics
}

function SimilarTopic({ id, kind, title, commentCount }: TopicLinkView) {
  const words = useWords('topic')
  return (
    <>
      <Link to={threadPath(id, kind)} target="_blank">
        {title}
      </Link>{' '}
      <span className="meta">{words('remarkCount', { count: commentCount })}</span>
    </>
  )
}
