import { AiMark } from '#ai-label/web/ai-label.tsx'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import type { HitView } from '#search/contract.ts'
import { Marked } from '#search/web/marked.tsx'
import { postPath } from '#kind/contract.ts'
import { QuestionMark } from '#topic/web/topic.tsx'
import { TagLink } from '#tag/web/tag.tsx'
import { Name } from '#user/web/user.tsx'
import css from '#search/web/hit.module.css'

/** A search result: the title, a passage with the matches, and one line of details. */
export function Hit({ hit }: { hit: HitView }) {
  const words = useWords('search')
  return (
    <article className={css.hit}>
      <div className={css.what}>
        <h2>
          {hit.isPinned && <span className="mark">{words('pinned')}</span>}
          {hit.isFeatured && <span className="mark">{words('featured')}</span>}
          {hit.questionState && <QuestionMark state={hit.questionState} />}
          <Link to={postPath(hit)}>
            <Marked pieces={hit.title} />
          </Link>
        </h2>
        <p className={css.excerpt}>
          {hit.kind !== 'topic' && (
            <span className={css.floor}>
              {words(hit.kind === 'comment' ? 'comment' : 'reply', { floor: hit.floor ?? 0, of: hit.thread })}
            </span>
          )}
          <bdi>
            <Marked pieces={hit.excerpt} />
          </bdi>
        </p>
        <p className={css.meta}>
          <TagLink place={hit.place} />
          <Name of={hit.author} withRoles={false} />
          <AiMark label={hit.aiLabel} isShort />
          <Time at={hit.publishedAt} />
          {hit.commentCount !== null && <span>{words('comments', { count: hit.commentCount })}</span>}
        </p>
      </div>
      {hit.picture && (
        <img
          src={`${hit.picture.src}?w=240`}
          alt=""
          width={hit.picture.width}
          height={hit.picture.height}
          loading="lazy"
          decoding="async"
          data-ground={hit.picture.ground}
          className={css.picture}
        />
      )}
    </article>
  )
}
