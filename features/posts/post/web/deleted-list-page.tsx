import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { usePostTitle } from '#kind/web/kind.tsx'
import type { deletedList, restorePost } from '#post/contract.ts'
import css from '#post/web/deleted-list-page.module.css'

type Deleted = Output<typeof deletedList>['posts'][number]

/** The page with a member's own deleted posts that can be restored. */
export function Page() {
  const words = useWords('post')
  const { posts } = useLoaderData<Output<typeof deletedList>>()
  if (posts.length === 0) return <Empty>{words('noneDeleted')}</Empty>
  return (
    <section className="column">
      <p className="meta">{words('deletedWhat')}</p>
      <ol className={css.list}>
        {posts.map((post) => (
          <li key={`${post.kind} ${post.id}`}>
            <Line post={post} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Line({ post }: { post: Deleted }) {
  const words = useWords('post')
  const titleOf = usePostTitle()
  const restoring = useAction<typeof restorePost>('/user/control/restorePost')
  const { kind, id, title, excerpt, deletedAt } = post
  const isOpening = kind === 'topic'
  const restore = () => void restoring.run({ kind, id }, { message: words('restored') })
  return (
    <>
      <div className={css.said}>
        <p className={css.title}>
          <bdi>{isOpening ? title : excerpt || words('pictureOnly')}</bdi>
        </p>
        <p className="meta">
          {titleOf(post)} {!isOpening && <bdi>· {title} </bdi>}· <Time at={deletedAt} />
        </p>
      </div>
      <button type="button" className="button quiet" disabled={restoring.isBusy} onClick={restore}>
        {words('restore')}
      </button>
    </>
  )
}
