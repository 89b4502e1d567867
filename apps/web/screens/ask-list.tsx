import { useLoaderData, useLocation, useSearchParams } from 'react-router'
import { Feed } from '#apps/web/feed.tsx'
import { HotTopics } from '#apps/web/hot-topics.tsx'
import { ListTabs, TagHead } from '#apps/web/list-head.tsx'
import { PostLink } from '#apps/web/post-link.tsx'
import { tagIn } from '#apps/web/screens/index.data.ts'
import { ThreadPages, type ThreadPage } from '#apps/web/thread-pages.tsx'
import { bounties, listParamsIn, type AskListData } from '#apps/web/screens/ask-list.data.ts'
import { useApi } from '#base/web/api.ts'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { FollowingTab } from '#follow/web/follow.tsx'
import type { QuestionFilter } from '#kind/contract.ts'
import type { listQuestions } from '#question/contract.ts'
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
        {followed ? <Feed of={followed} list="/askList" /> : <Questions list={list} reading={reading} />}
      </section>
      <aside className={`${css.side} rail`}>
        {!tag && <PostLink kind="question" />}
        <HotTopics topics={hot} />
      </aside>
    </div>
  )
}

function Questions({ list: { questions, page, pages, total, place }, reading }: Pick<AskListData, 'list' | 'reading'>) {
  const words = useWords('question')
  const topicWords = useWords('topic')
  const api = useApi()
  const { key } = useLocation()
  const [query] = useSearchParams()
  async function read(number: number): Promise<ThreadPage> {
    const input = { ...listParamsIn(query), page: number }
    const { questions: threads, ...its } = await api.read<typeof listQuestions>('/question/list', input, { shared: true })
    return { threads, ...its }
  }
  return (
    <>
      {questions.length === 0 && (
        <Empty action={<PostLink kind="question" tagId={place?.id} />}>
          {listParamsIn(query).language ? topicWords('noneInLanguage') : words('none')}
        </Empty>
      )}
      <ThreadPages key={key} first={{ threads: questions, reading, page, pages, total }} read={read} tagId={place?.id} list="/askList" />
    </>
  )
}

// Literal keys, so that these texts load with the component.
const stateWords = { unresolved: 'unresolved', resolved: 'resolved', unanswered: 'unanswered' } as const

const bountyTabs = { any: 'withBounty', points: 'withPoints', cash: 'withCash' } as const

function States() {
  const words = useWords('question')
  const bountyWords = useWords('bounty')
  const [query] = useSearchParams()
  const { tagId, state, bounty, language } = listParamsIn(query)
  const { allowCash } = useSite()
  const { followed, list } = useLoaderData<AskListData>()
  const isPlain = !state && !bounty && !language && !followed && list.page === 1
  const news = isPlain ? { threads: list.questions, isWhole: list.pages === 1, sort: 'reply' as const, onlyQuestions: true } : null
  const tag = [tagId && `tagId=${tagId}`, language && `language=${language}`].filter(Boolean).join('&')
  return (
    <ListTabs label={words('states')} tagId={tagId} news={news}>
      <Link to={tag ? `/askList?${tag}` : '/askList'} aria-current={state || bounty || followed ? undefined : 'page'}>
        {words('latest')}
      </Link>
      {/* Literal keys, so that these texts load with the page. */}
      {(['unresolved', 'resolved', 'unanswered'] satisfies QuestionFilter[]).map((one) => (
        <Link key={one} to={`/askList?state=${one}${tag && `&${tag}`}`} aria-current={state === one ? 'page' : undefined}>
          {words(stateWords[one])}
        </Link>
      ))}
      {bounties
        // Without cash, all bounties are in points.
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
    </ListTabs>
  )
}
