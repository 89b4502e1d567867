import type { Output } from '#base/contract.ts'
import { joinNames } from '#base/language.ts'
import { Segments, type RenderedSegment } from '#base/web/html.tsx'
import { Quote } from '#base/web/quote.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { ThingView } from '#report/contract.ts'
import type { caseList, caseView } from '#report/staff-contract.ts'
import type { AuthorView } from '#user/contract.ts'
import { Avatar } from '#user/web/user.tsx'
import { postPath, type ThreadKind } from '#kind/contract.ts'
import { usePostTitle } from '#kind/web/kind.tsx'
import css from '#report/admin/report.module.css'

type Claim = Output<typeof caseList>['rows'][number]['claim']
type Names = Output<typeof caseList>['rows'][number]['categories']

/** A member, with a link to their page in the forum. */
export function MemberLink({ of: { id, name } }: { of: Pick<AuthorView, 'id' | 'name'> }) {
  return (
    <a href={`/user/control/home?userId=${id}`} target="_blank" rel="noopener">
      {name}
    </a>
  )
}

export function CategoryNames({ of: names }: { of: Names }) {
  const language = useLanguage()
  return joinNames(
    language,
    names.map((name) => name[language]),
  )
}

export function ClaimMark({ claim }: { claim: Claim }) {
  const words = useWords('reportAdmin')
  if (!claim) return null
  return <span className="mark">{claim.isMine ? words('byMe') : claim.account}</span>
}

type ReportedPost = { thing: ThingView; author: AuthorView; segments: readonly RenderedSegment[]; publishedAt: string }

/** A post as it is now. */
export function Post({ thing, author, segments, publishedAt }: ReportedPost) {
  const words = useWords('reportAdmin')
  return (
    <article className={css.post}>
      <header>
        <Avatar of={author} size={32} />
        <MemberLink of={author} />
        <span className="meta">
          <Time at={publishedAt} />
        </span>
        <a href={postPath(thing)} target="_blank" rel="noopener">
          {words('inForum')}
        </a>
      </header>
      <Segments segments={segments} />
    </article>
  )
}

/** A short summary of a post, for forms where the post itself is out of sight. */
export function PostSummary({ thing: { kind, title, excerpt } }: { thing: ThingView }) {
  const text = kind === 'topic' ? `${title} ${excerpt}` : excerpt
  return text.trim() && <p className={css.recalled}>{text}</p>
}

type ContextPosts = Output<typeof caseView>['context']

export function PostContext({ around, thread }: { around: ContextPosts; thread: ThreadKind }) {
  const words = useWords('reportAdmin')
  const title = usePostTitle()
  if (around.length === 0) return null
  return (
    <section aria-label={words('around')}>
      {around.map(({ kind, id, author, text, at }) => (
        <Quote
          key={`${kind} ${id}`}
          by={
            <>
              {title({ kind, thread })} · <MemberLink of={author} /> · <Time at={at} />
            </>
          }
        >
          {text}
        </Quote>
      ))}
    </section>
  )
}
