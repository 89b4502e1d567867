import { useLoaderData, useSearchParams } from 'react-router'
import { FollowedThreads } from '#apps/web/followed-threads.tsx'
import { HotTopics } from '#apps/web/hot-topics.tsx'
import { PostLink } from '#apps/web/post-link.tsx'
import { bounties, wishOf, type AskListData } from '#apps/web/screens/ask-list.data.ts'
import { Link } from '#base/web/link.tsx'
import { Pages } from '#base/web/pages.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { FollowingTab, FollowTag } from '#follow/web/follow.tsx'
import { useUnmuted } from '#follow/web/mine.ts'
import type { QuestionFilter } from '#kind/contract.ts'
import { useSite } from '#setting/web/setting.tsx'
import { TagRail, useNameOf } from '#tag/web/tag.tsx'
import { TopicRow } from '#topic/web/topic.tsx'
import css from '#apps/web/screens/index.module.css'

export function Page() {
  const { tags, list, hot, followed } = useLoaderData<AskListData>()
  const words = useWords('question')
  const nameOf = useNameOf()
  return (
    <div className={css.page}>
      <div className={css.tags}>
        <TagRail tags={tags} list="/askList" />
      </div>
      <section className={css.topics}>
        <h1 className={css.title}>{list.place ? words('questionsIn', { name: nameOf(list.place.name) }) : words('questions')}</h1>
        {list.place && <FollowTag tagId={list.place.id} />}
        <States />
        {followed ? <FollowedThreads of={followed} list="/askList" /> : <Questions list={list} />}
      </section>
      <aside className={css.side}>
        <PostLink kind="question" />
        <HotTopics topics={hot} />
      </aside>
    </div>
  )
}

function Questions({ list }: Pick<AskListData, 'list'>) {
  const words = useWords('question')
  const questions = useUnmuted(list.questions, list.place?.id)
  return (
    <>
      {list.questions.length === 0 && <Empty deed={<PostLink kind="question" />}>{words('none')}</Empty>}
      {questions.map((question) => (
        <TopicRow key={question.id} topic={question} list="/askList" />
      ))}
      <Pages page={list.page} pages={list.pages} total={list.total} />
    </>
  )
}

// Written out, so that these words come with what shows them.
const stateWords = { unresolved: 'unresolved', resolved: 'resolved', unanswered: 'unanswered' } as const

const bountyTabs = { any: 'withBounty', points: 'withPoints', cash: 'withCash' } as const

function States() {
  const words = useWords('question')
  const bountyWords = useWords('bounty')
  const [query] = useSearchParams()
  const { tagId, state, bounty } = wishOf(query)
  const { allowCash } = useSite()
  const { followed } = useLoaderData<AskListData>()
  const tag = tagId ? `tagId=${tagId}` : ''
  return (
    <nav className="tabs" aria-label={words('states')}>
      <Link to={tag ? `/askList?${tag}` : '/askList'} aria-current={state || bounty || followed ? undefined : 'page'}>
        {words('latest')}
      </Link>
      {/* Written out, so that these words come with the page. */}
      {(['unresolved', 'resolved', 'unanswered'] satisfies QuestionFilter[]).map((one) => (
        <Link key={one} to={`/askList?state=${one}${tag && `&${tag}`}`} aria-current={state === one ? 'page' : undefined}>
          {words(stateWords[one])}
        </Link>
      ))}
      {bounties
        // Without money they are all of points.
        .filter((one) => allowCash || one === 'any')
        .map((one) => (
          <Link
            key={one}
            to={`/askList?bounty=${one}${tag && `&${tag}`}`}
            aria-current={bounty === one || (bounty && !allowCash) ? 'page' : undefined}
          >
            {bountyWords(bountyTabs[one])}
          </Link>
        ))}
      <FollowingTab list="/askList" isHere={followed !== null} />
    </nav>
  )
}
