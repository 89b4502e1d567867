import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { postPath } from '#kind/contract.ts'
import { usePostTitle } from '#kind/web/kind.tsx'
import type { MyLike, myLikes, removeLike } from '#like/contract.ts'
import { Name } from '#user/web/user.tsx'
import css from '#like/web/like-list-page.module.css'

/** The posts that I like, each with a link. */
export function Page() {
  const words = useWords('like')
  const { likes, page, pages, total } = useLoaderData<Output<typeof myLikes>>()
  const around = (
    <Link to="/index" className="button">
      {words('lookAround')}
    </Link>
  )
  return (
    <section className="column">
      {likes.length === 0 && <Empty action={around}>{words('noneMine')}</Empty>}
      <ol className={css.list}>
        {likes.map((like) => (
          <li key={`${like.kind} ${like.id}`}>
            <Liked like={like} />
          </li>
        ))}
      </ol>
      <Pagination page={page} pages={pages} total={total} />
    </section>
  )
}

function Liked({ like: { kind, id, post, at } }: { like: MyLike }) {
  const words = useWords('like')
  const { isBusy, run } = useAction<typeof removeLike>('/like/remove')
  return (
    <>
      <div>
        {post ? <About post={post} /> : <p className="meta">{words('gone')}</p>}
        <p className="meta">
          {post && (
            <>
              <Name of={post.author} withRoles={false} /> ·{' '}
            </>
          )}
          <Time at={at} />
        </p>
      </div>
      <button
        type="button"
        className="plain"
        disabled={isBusy}
        aria-label={words('takeBack')}
        onClick={() => void run({ kind, id }, { message: words('takenBack') })}
      >
        {words('takeBack')}
      </button>
    </>
  )
}

function About({ post }: { post: NonNullable<MyLike['post']> }) {
  const words = useWords('like')
  const titleOf = usePostTitle()
  return (
    <>
      <Link to={postPath(post)} className={css.title}>
        {post.kind === 'topic' ? post.title : post.excerpt || words('pictureOnly')}
      </Link>
      {post.kind !== 'topic' && (
        <p className="meta">
          {titleOf(post)} · <bdi>{post.title}</bdi>
        </p>
      )}
    </>
  )
}
