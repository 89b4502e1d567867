import { useLoaderData, useSearchParams } from 'react-router'
import { Following } from '#apps/web/following.tsx'
import { HotTopics } from '#apps/web/hot-topics.tsx'
import { TagHead, Tabs } from '#apps/web/list-head.tsx'
import { PostLink } from '#apps/web/post-link.tsx'
import { tagIn } from '#apps/web/screens/index.data.ts'
import { ThreadRows } from '#apps/web/thread-rows.tsx'
import { bounties, wishOf, type AskListData } from '#apps/web/screens/ask-list.data.ts'
import { Link } from '#base/web/link.tsx'
import { Pages } from '#base/web/pages.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { FollowingTab } from '#follow/web/follow.tsx'
import type { QuestionFilter } from '#kind/contract.ts'
import { useSite } from '#setting/web/setting.tsx'
import { TagRail, useNameOf } from '#tag/web/tag.tsx'
import css from '#apps/web/screens/index.module.css'

export function Page() {
  const data = useLoaderData<AskListData>()
  const { tags, list, hot, reading, followed } = data
  const tag = tagIn(data)
  const words = useWords('question')
  const nameOf = useNameOf()
  return (
    <div className={css.page}>
      <div className={`${css.tags} rail`}>
        <TagRail tags={tags} list="/askList" />
      </div>
      <section className={css.topics}>
        {tag ? (
          <TagHead tag={tag} kind="question" title={words('questionsIn', { name: nameOf(tag.name) })} count={list.total} />
        ) : (
          <h1 className={css.title}>{words('questions')}</h1>
        )}
        <States />
        {followed ? <Following of={followed} list="/askList" /> : <Questions list={list} reading={reading} />}
      </section>
      <aside className={`${css.side} rail`}>
        {!tag && <PostLink kind="question" />}
        <HotTopics topics={hot} />
      </aside>
    </div>
  )
}

function Questions({ list, reading }: Pick<AskListData, 'list' | 'reading'>) {
  const words = useWords('question')
  const topicWords = useWords('topic')
  const [query] = useSearchParams()
  const tagId = list.place?.id
  return (
    <>
      {list.questions.length === 0 && (
        <Empty deed={<PostLink kind="question" tagId={tagId} />}>
          {wishOf(query).language ? topicWords('noneInLanguage') : words('none')}
        </Empty>
      )}
      <ThreadRows threads={list.questions} reading={reading} tagId={tagId} list="/askList" />
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
  const { tagId, state, bounty, language } = wishOf(query)
  const { allowCash } = useSite()
  const { followed } = useLoaderData<AskListData>()
  const tag = [tagId && `tagId=${tagId}`, language && `language=${language}`].filter(Boolean).join('&')
  return (
    <Tabs label={words('states')} tagId={tagId}>
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
    </Tabs>
  )
}
