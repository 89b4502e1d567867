import { Html } from '#base/web/html.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { ReportButton } from '#post/web/post.tsx'
import { useMember } from '#account/web/account.tsx'
import type { Output } from '#base/contract.ts'
import { useSite } from '#setting/web/setting.tsx'
import type { thread } from '#topic/contract.ts'
import css from '#question/web/question.module.css'

type PostscriptsProps = { topic: Pick<Output<typeof thread>, 'id' | 'kind' | 'postscripts' | 'author'> }

/** The addenda of a question, also after it became a topic. */
export function Postscripts({ topic: { id, kind, postscripts, author } }: PostscriptsProps) {
  const words = useWords('question')
  const me = useMember()
  const { open } = useSite()
  const mayReport = kind === 'question' && me !== null && me.userId !== author.id && open.reports
  return postscripts.map(({ number, segments, writtenAt }) => (
    <section key={number} className={css.postscript} aria-label={words('postscript', { number })}>
      <p className="meta">
        {words('postscript', { number })} · <Time at={writtenAt} />
        {mayReport && <ReportButton kind="topic" thread={kind} id={id} postscript={number} />}
      </p>
      {segments.map(({ html }, index) => (
        <Html key={index} html={html} className="prose" />
      ))}
    </section>
  ))
}
